import { expect, test, vi } from 'vitest'
import { createServerList } from './next-server.ts'

function walk(list: ReturnType<typeof createServerList<string>>, working: string | null) {
  const tried: string[] = []
  let error: unknown = null
  list.open(
    (server, worked, next) => {
      tried.push(server)
      if (server === working) worked()
      else next(`${server} is away`)
      return () => undefined
    },
    (reason) => {
      error = reason
    },
  )
  return { tried, error }
}

test('servers are tried in their order until one works, which is the first from then on', () => {
  const list = createServerList(['a', 'b', 'c'], 100)
  expect(walk(list, 'b')).toEqual({ tried: ['a', 'b'], error: null })
  expect(walk(list, 'b')).toEqual({ tried: ['b'], error: null })
  expect(walk(list, 'a')).toEqual({ tried: ['b', 'c', 'a'], error: null })
})

test('when none works, the error is that of the first', () => {
  expect(walk(createServerList(['a', 'b'], 100), null)).toEqual({ tried: ['a', 'b'], error: 'a is away' })
})

test('a server that is not ready in time is given up, and the next one is tried', () => {
  vi.useFakeTimers()
  try {
    const tried: string[] = []
    const givenUp: string[] = []
    createServerList(['a', 'b', 'c'], 100).open(
      (server, worked, next) => {
        tried.push(server)
        if (server === 'c') worked()
        return (error) => {
          givenUp.push(`${server}: ${String(error)}`)
          next(error)
        }
      },
      () => expect.unreachable(),
    )
    vi.advanceTimersByTime(150)
    expect(tried).toEqual(['a', 'b'])
    vi.advanceTimersByTime(1000)
    expect(tried).toEqual(['a', 'b', 'c'])
    expect(givenUp).toEqual(['a', 'b'].map((server) => `${server}: Error: the connection was not ready within 100 ms`))
  } finally {
    vi.useRealTimers()
  }
})

test('spread, each server is the first in turn', () => {
  const list = createServerList(['a', 'b', 'c'], 100, true)
  const tried = ['a', 'b', 'c', 'b'].map((working) => walk(list, working).tried)
  expect(tried).toEqual([['a'], ['b'], ['c'], ['a', 'b']])
})

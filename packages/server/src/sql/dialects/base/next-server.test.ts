import { expect, test } from 'vitest'
import { createServerList } from './next-server.ts'

function walk(list: ReturnType<typeof createServerList<string>>, working: string | null) {
  const tried: string[] = []
  let error: unknown = null
  list.open(
    (server, worked, next) => {
      tried.push(server)
      if (server === working) worked()
      else next(`${server} is away`)
    },
    (reason) => {
      error = reason
    },
  )
  return { tried, error }
}

test('servers are tried in their order until one works, which is the first from then on', () => {
  const list = createServerList(['a', 'b', 'c'])
  expect(walk(list, 'b')).toEqual({ tried: ['a', 'b'], error: null })
  expect(walk(list, 'b')).toEqual({ tried: ['b'], error: null })
  expect(walk(list, 'a')).toEqual({ tried: ['b', 'c', 'a'], error: null })
})

test('when none works, the error is that of the first', () => {
  expect(walk(createServerList(['a', 'b']), null)).toEqual({ tried: ['a', 'b'], error: 'a is away' })
})

test('spread, each server is the first in turn', () => {
  const list = createServerList(['a', 'b', 'c'], true)
  const tried = ['a', 'b', 'c', 'b'].map((working) => walk(list, working).tried)
  expect(tried).toEqual([['a'], ['b'], ['c'], ['a', 'b']])
})

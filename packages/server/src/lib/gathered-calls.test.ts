import { expect, test, vi } from 'vitest'
import { gatheredCalls } from './gathered-calls.ts'

/** Lookups that end when the test lets them. */
function stage() {
  const asked: (readonly string[])[] = []
  const ends: { readonly give: () => void; readonly fail: () => void }[] = []
  const call = gatheredCalls<string, string>((keys) => {
    asked.push(keys)
    return new Promise((resolve, reject) => {
      ends.push({
        give: () => resolve(new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, `value of ${key}`]))),
        fail: () => reject(new Error('lost')),
      })
    })
  })
  return { asked, ends, call }
}

test('a call alone is looked up at once; those that come meanwhile share the next lookup', async () => {
  const { asked, ends, call } = stage()
  const first = call('a')
  const others = [call('b'), call('c'), call('b'), call('unknown')]
  expect(asked).toEqual([['a']])
  ends[0]?.give()
  expect(await first).toBe('value of a')
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  expect(asked[1]).toEqual(['b', 'c', 'unknown'])
  // It may have been answered already from what the database had before this call.
  const late = call('b')
  ends[1]?.give()
  expect(await Promise.all(others)).toEqual(['value of b', 'value of c', 'value of b', undefined])
  await vi.waitFor(() => expect(asked).toHaveLength(3))
  ends[2]?.give()
  expect(await late).toBe('value of b')
})

test('a lookup that fails fails its own calls alone', async () => {
  const { ends, call, asked } = stage()
  const first = call('a')
  const second = call('b')
  ends[0]?.fail()
  await expect(first).rejects.toThrow('lost')
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  ends[1]?.give()
  expect(await second).toBe('value of b')
})

test('a lookup that hangs does not hold up the others', async () => {
  vi.useFakeTimers()
  try {
    const { asked, ends, call } = stage()
    void call('a')
    const second = call('b')
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toEqual([['a'], ['b']])
    ends[1]?.give()
    expect(await second).toBe('value of b')
  } finally {
    vi.useRealTimers()
  }
})

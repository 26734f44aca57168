import { describe, expect, test } from 'vitest'
import { createAsyncQueue } from './async-queue.ts'

const quiet = () => {}

describe('a queue', () => {
  test('gives values in order, pushed before and while they are awaited', async () => {
    const { values, push } = createAsyncQueue<number>(quiet)
    push(1)
    push(2)
    expect([(await values.next()).value, (await values.next()).value]).toEqual([1, 2])
    const next = values.next()
    push(3)
    expect(await next).toEqual({ done: false, value: 3 })
  })

  test('throws after the values that came before the failure', async () => {
    let ends = 0
    const { values, push, fail } = createAsyncQueue<number>(() => (ends += 1))
    push(1)
    fail(new Error('over'))
    push(2)
    expect((await values.next()).value).toBe(1)
    await expect(values.next()).rejects.toThrow('over')
    expect(await values.next()).toEqual({ done: true, value: undefined })
    expect(ends).toBe(1)
  })

  test('ends at once when its consumer returns while it waits', async () => {
    let ends = 0
    const { values, push } = createAsyncQueue<number>(() => (ends += 1))
    const next = values.next()
    await values.return?.()
    expect(await next).toEqual({ done: true, value: undefined })
    push(1)
    expect(await values.next()).toEqual({ done: true, value: undefined })
    await values.return?.()
    expect(ends).toBe(1)
  })
})

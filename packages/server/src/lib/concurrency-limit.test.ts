import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const concurrencyLimitOf = (atOnce: number, waiting: number) =>
  createConcurrencyLimit(atOnce, waiting, () => new Error('full'))

function openable() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('no more run at once than may, and all of them run', async () => {
  const through = concurrencyLimitOf(2, 100)
  let [running, most, done] = [0, 0, 0]
  await Promise.all(
    Array.from({ length: 20 }, () =>
      through(async () => {
        most = Math.max(most, (running += 1))
        await new Promise((resolve) => setTimeout(resolve, 1))
        running -= 1
        done += 1
      }),
    ),
  )
  expect([most, done]).toEqual([2, 20])
})

test('whoever finds the queue full is refused, and the others are not', async () => {
  const through = concurrencyLimitOf(1, 1)
  const { open, opened } = openable()
  const [first, second] = [through(() => opened), through(async () => 'second')]
  await expect(through(async () => 'third')).rejects.toThrow('full')
  open()
  expect([await first, await second]).toEqual([undefined, 'second'])
})

test('a work that fails makes room as well', async () => {
  const through = concurrencyLimitOf(1, 1)
  await expect(through(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await through(async () => 'next')).toBe('next')
})

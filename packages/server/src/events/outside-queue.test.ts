import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { OutsideTransaction } from '../sql/outside.ts'
import { createOutsideQueue } from './outside-queue.ts'

const transaction = (name: string, count: number): OutsideTransaction => ({
  name,
  position: name,
  time: Date.now(),
  told: [],
  count,
  isBeat: false,
  isReshaped: false,
  changes: () => [],
  close: () => undefined,
})

test('whoever brings a transaction waits for room, and others go on meanwhile', async () => {
  const appended: string[][] = []
  const queue = createOutsideQueue({
    append: async (transactions) => {
      await sleep(20)
      appended.push(transactions.map(({ name }) => name))
    },
    standsAlone: ({ count }) => count > 5000,
    failed: (error) => expect.fail(String(error)),
  })
  await queue.take(transaction('a', 1))
  await sleep(50)
  // With a wait that never sleeps, the timer of the append would not run.
  await queue.take(transaction('large', 1_000_000))
  expect(appended).toEqual([['a'], ['large']])
  await Promise.all(['b', 'c', 'd'].map((name) => queue.take(transaction(name, 400))))
  await sleep(100)
  expect(appended.slice(2).flat()).toEqual(['b', 'c', 'd'])
  expect(queue.isEmpty()).toBe(true)
  await queue.close()
})

test('a failure ends the wait', async () => {
  const failures: unknown[] = []
  const queue = createOutsideQueue({
    append: () => Promise.reject(new Error('away')),
    standsAlone: () => false,
    failed: (error) => failures.push(error),
  })
  await queue.take(transaction('large', 1_000_000))
  expect(failures).toEqual([new Error('away')])
})

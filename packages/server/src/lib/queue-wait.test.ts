import { expect, test } from 'vitest'
import { createQueueWait } from './queue-wait.ts'

/** A queue whose clock is the test's. */
function stage(servers: number) {
  const wait = createQueueWait(servers)
  const state = { clock: 0, length: 0 }
  const join = (count: number) => {
    for (let each = 0; each < count; each += 1) wait.joined(state.clock)
    state.length += count
  }
  /** Lets time pass, in which so many are served each tenth of a second. */
  const pass = (milliseconds: number, perTick: number) => {
    for (let each = 0; each < milliseconds; each += 100) {
      for (let count = 0; count < perTick && state.length > 0; count += 1) {
        wait.served()
        state.length -= 1
      }
      state.clock += 100
      wait.tick(state.clock, state.length)
    }
  }
  return { join, pass, expected: () => wait.expected(state.clock, state.length), state }
}

test('an empty queue has no wait, and a burst none that is known', () => {
  const { join, expected } = stage(10)
  expect(expected()).toBe(0)
  join(1000)
  expect(expected()).toBe(0)
})

test('the wait is the length by the rate', () => {
  const { join, pass, expected } = stage(10)
  join(1000)
  pass(500, 50)
  expect(expected()).toBe(1500)
  pass(1000, 50)
  expect(expected()).toBe(500)
})

test('the rate is that of the last half second', () => {
  const { join, pass, expected } = stage(10)
  join(2000)
  pass(1000, 50)
  pass(600, 100)
  expect(expected()).toBe(900)
})

test('a slow queue is judged by more than half a second', () => {
  const { join, pass, expected } = stage(2)
  join(40)
  // Two statements of a second each, side by side.
  for (let second = 0; second < 4; second += 1) {
    pass(100, 2)
    pass(900, 0)
  }
  expect(expected()).toBe(16_000)
})

test('while nothing is served, each server has been busy for as long, and a newcomer waits as long again', () => {
  const { join, pass, expected } = stage(10)
  join(5)
  pass(400, 0)
  expect(expected()).toBe(0)
  pass(600, 0)
  expect(expected()).toBe(1000)
  join(35)
  expect(expected()).toBe(4000)
})

test('after a standstill the rate counts again at once', () => {
  const { join, pass, expected } = stage(10)
  join(500)
  pass(10_000, 0)
  expect(expected()).toBe(5000 * 50)
  pass(600, 50)
  expect(expected()).toBe(400)
})

test('a queue that was empty begins anew', () => {
  const { join, pass, expected } = stage(10)
  join(10)
  pass(2000, 0)
  pass(100, 10)
  expect(expected()).toBe(0)
  join(100)
  expect(expected()).toBe(0)
})

test('an event loop that is late makes no queue slow', () => {
  const { join, pass, expected, state } = stage(10)
  join(100)
  pass(600, 10)
  expect(expected()).toBe(400)
  state.clock += 60_000
  expect(expected()).toBeLessThan(800)
})

import { expect, test } from 'vitest'
import { createPollDelay } from './poll-delay.ts'

test('a cheap question is asked at every interval', () => {
  const delay = createPollDelay(1000)
  expect([5, 12, 40].map((cost) => delay.after(cost))).toEqual([1000, 1000, 1000])
})

test('a dear question is asked less often', () => {
  const delay = createPollDelay(1000)
  expect([60, 66, 70].map((cost) => delay.after(cost))).toEqual([1200, 1200, 1200])
})

test('answers that are slow because the machine is busy do not stretch the interval', () => {
  const delay = createPollDelay(1000)
  delay.after(5)
  expect([400, 900, 300, 2000].map((cost) => delay.after(cost))).toEqual([1000, 1000, 1000, 1000])
})

test('a change is seen in time however slow every answer is', () => {
  const delay = createPollDelay(1000)
  expect(Array.from({ length: 20 }, () => delay.after(800)).at(-1)).toBe(1500)
})

test('an interval that is longer by setting stays', () => {
  expect(createPollDelay(60_000).after(500)).toBe(60_000)
})

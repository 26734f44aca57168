import { expect, test } from 'vitest'
import { fit } from './linear-fit.ts'

test('points on a line have its slope, without doubt', () => {
  const { slope, low, high } = fit([1, 2, 3, 4].map((x) => [x, 2 * x + 1]))
  expect([slope, low, high].map((value) => Number(value.toFixed(6)))).toEqual([2, 2, 2])
})

test('the interval is that of a textbook', () => {
  // R: confint(lm(c(1, 3, 2, 5, 4) ~ c(1, 2, 3, 4, 5)))
  const { slope, low, high } = fit([1, 3, 2, 5, 4].map((y, at) => [at + 1, y]))
  expect(slope).toBeCloseTo(0.8)
  expect([low, high].map((value) => Number(value.toFixed(2)))).toEqual([-0.3, 1.9])
})

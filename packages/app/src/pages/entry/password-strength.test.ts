import { expect, test } from 'vitest'
import { strengthOf } from './password-strength.ts'

test.each([
  ['', 'weak'],
  ['password', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['12345678901234', 'weak'],
  ['Password123', 'weak'],
  ['kettle 7x', 'fair'],
  ['brown kettle', 'good'],
  ['correct-horse-battery', 'strong'],
  ['vT8#qLm2!zRx', 'strong'],
] as const)('%j is %s', (password, strength) => {
  expect(strengthOf(password)).toBe(strength)
})

test('a longer password is never weaker than its beginning', () => {
  const text = 'correct-horse-battery-staple'
  const order = ['weak', 'fair', 'good', 'strong']
  const levels = Array.from({ length: text.length + 1 }, (_, end) => order.indexOf(strengthOf(text.slice(0, end))))
  expect(levels).toEqual(levels.toSorted((a, b) => a - b))
})

import { describe, expect, test } from 'vitest'
import { allowsFlagOnly } from './flag-check.ts'

describe('conditions that allow 0 and 1 only', () => {
  test.each([
    'done in (0, 1)',
    '"done" IN (1,0)',
    '`done` in (0,1)',
    '[Done] between 0 and 1',
    '(done = 0) or (done = 1)',
    'done == 0 or done == 1',
    'done >= 0 and done <= 1',
    'done is null or done in (0, 1)',
    "done in ('0', '1')",
    'done in (true, false) -- a flag',
  ])('%s', (condition) => {
    expect(allowsFlagOnly(condition, 'done')).toBe(true)
  })
})

describe('other conditions', () => {
  test.each([
    'done in (0, 1, 2)',
    'not (done in (0, 1))',
    'done not in (0, 1)',
    'done between 0 and 10',
    'done >= 0',
    'other in (0, 1)',
    'done in (0, 1) or other = 1',
    "'done' in (0, 1)",
    'abs(done) in (0, 1)',
    'done in (0, 1) or done is not null',
  ])('%s', (condition) => {
    expect(allowsFlagOnly(condition, 'done')).toBe(false)
  })
})

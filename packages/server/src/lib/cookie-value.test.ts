import { expect, test } from 'vitest'
import { cookieValue } from './cookie-value.ts'

test('the value of a cookie is found by its whole name', () => {
  const header = 'other_session=x; session=a%20b; empty=; broken=%zz; quoted="q"'
  expect(['session', 'empty', 'broken', 'quoted', 'none'].map((name) => cookieValue(header, name))).toEqual([
    'a b',
    null,
    '%zz',
    'q',
    null,
  ])
  expect(cookieValue(undefined, 'session')).toBe(null)
})

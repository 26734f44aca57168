import { expect, test } from 'vitest'
import { withValues } from './interpolate.ts'

test('puts values where the placeholders are, and nowhere else', () => {
  const text = "select `a?``?`, 'it''s ?', '\\'?', \"?\" from t where x = ? and y in ?"
  expect(withValues({ text, values: ['1', ['a', null]] })).toBe(
    "select `a?``?`, 'it''s ?', '\\'?', \"?\" from t where x = '1' and y in '[\\\"a\\\",null]'",
  )
})

test('what is inside a value stays inside', () => {
  const hostile = `'; drop table t; -- \\' \\\\' " \` ? \0 \u001A \n`
  const [before, after] = withValues({ text: 'a ? b', values: [hostile] }).split(/(?<=^a )|(?= b$)/u)
  expect(before).toBe('a ')
  // One literal: a backslash precedes every quote in it.
  expect(after).toMatch(/^'(?:[^'\\\0\n]|\\.)*'$/u)
})

test('whole numbers and nothing stand for themselves', () => {
  expect(withValues({ text: 'limit ? offset ?', values: [10n, null] })).toBe('limit 10 offset NULL')
})

test('refuses another number of values than there are places', () => {
  expect(() => withValues({ text: 'select ?', values: ['a', 'b'] })).toThrow('1 places for 2 values')
})

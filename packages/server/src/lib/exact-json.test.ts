import { expect, test } from 'vitest'
import { isExactNumber, isTooDeep, parseExactJson } from './exact-json.ts'

test('a number keeps digits that a double would lose', () => {
  const { exact } = parseExactJson('{"exact": 987654321098765432.123456789012}') as { exact: unknown }
  expect(isExactNumber(exact) && exact.rawJSON).toBe('987654321098765432.123456789012')
  expect(JSON.stringify({ exact })).toBe('{"exact":987654321098765432.123456789012}')
})

test('numbers that fit stay numbers', () => {
  expect(parseExactJson('{"a": 12.5, "b": 9007199254740991, "c": "12345678901234567890"}')).toEqual({
    a: 12.5,
    b: 9_007_199_254_740_991,
    c: '12345678901234567890',
  })
})

test('depth counts brackets, and those inside of texts do not count', () => {
  expect(isTooDeep(`${'['.repeat(500)}${']'.repeat(500)}`)).toBe(false)
  expect(isTooDeep(`${'['.repeat(501)}${']'.repeat(501)}`)).toBe(true)
  expect(isTooDeep(`${'{"a":'.repeat(501)}1${'}'.repeat(501)}`)).toBe(true)
  expect(isTooDeep(JSON.stringify(['['.repeat(2000), String.raw`\"${'{'.repeat(2000)}`]))).toBe(false)
  expect(isTooDeep(`[${'[],'.repeat(2000)}[]]`)).toBe(false)
})

test('whole numbers beyond 2^53 are exact, even if a double holds them', () => {
  const [odd, even, within] = parseExactJson('[9007199254740993, 13344473600123458, 9007199254740991]') as unknown[]
  expect(isExactNumber(odd) && odd.rawJSON).toBe('9007199254740993')
  expect(isExactNumber(even) && even.rawJSON).toBe('13344473600123458')
  expect(within).toBe(9007199254740991)
})

import { expect, test } from 'vitest'
import { readName, splitWritten, writtenName } from './paths.ts'

test('a text is split at a character, outside parentheses', () => {
  expect(splitWritten('a,count(b,c),d', ',')).toEqual(['a', 'count(b,c)', 'd'])
  expect(splitWritten('', ',')).toEqual([''])
})

test('a backslash takes the meaning of the next character, and stays for later splits', () => {
  expect(splitWritten(String.raw`a\,b,c\(d,e`, ',')).toEqual([String.raw`a\,b`, String.raw`c\(d`, 'e'])
})

test('a closing parenthesis too many does not keep what follows together', () => {
  expect(splitWritten('a),b', ',')).toEqual(['a)', 'b'])
})

test('an ordinary name is written as it is', () => {
  for (const name of ['name', 'größe', 'first name', 'a-b', 'a/b', 'a*b', "d'or"]) expect(writtenName(name)).toBe(name)
})

test.each([
  ['a.b', String.raw`a\.b`],
  ['*', String.raw`\*`],
  ['-rank', String.raw`\-rank`],
  ['count(x)', String.raw`count\(x\)`],
  [' a, b: c ', String.raw`\ a\, b\: c\ `],
  [String.raw`back\slash`, String.raw`back\\slash`],
])('%j is written with backslashes, and read back', (name, written) => {
  expect(writtenName(name)).toBe(written)
  expect(readName(written)).toBe(name)
  expect(splitWritten(written, '.')).toHaveLength(1)
  expect(splitWritten(written, ',')).toHaveLength(1)
})

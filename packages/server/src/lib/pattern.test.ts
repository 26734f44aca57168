import { expect, test } from 'vitest'
import { PatternError, patternOf } from './pattern.ts'

test.each([
  ['^[A-Z]', 'Ada', true],
  ['^[A-Z]', 'ada', false],
  ['/^[A-Z]/i', 'ada', true],
  ['/a.b/s', 'a\nb', true],
  ['/^b$/m', 'a\nb', true],
  [String.raw`^\d{3}-\d{4}$`, '555-1234', true],
  [String.raw`^[\w.+-]+@[\w-]+\.[\w.]+$`, 'ada@example.com', true],
  [String.raw`^\p{Lu}\p{Ll}+$`, 'Ärger', true],
  [String.raw`^https?:\/\/`, 'https://example.com', true],
  ['^(?<year>[0-9]{4})$', '2026', true],
  [String.raw`^(?=.*\d)(?=.*[A-Z])(?!.*\s).{8,}$`, 'Passw0rds', true],
  [String.raw`^(?=.*\d)(?=.*[A-Z])(?!.*\s).{8,}$`, 'Pass w0rds', false],
  [String.raw`^(?=.*\d)(?=.*[A-Z])(?!.*\s).{8,}$`, 'password1', false],
  [String.raw`/(?=^.{8,}$)(?=.*\d)(?=.*[!@#$%^&*()_+}{';'?>.<,])(?!.*\s)(?=.*[A-Z])(?=.*[a-z]).*$/`, 'Passw0rd!', true],
  [
    String.raw`/(?=^.{8,}$)(?=.*\d)(?=.*[!@#$%^&*()_+}{';'?>.<,])(?!.*\s)(?=.*[A-Z])(?=.*[a-z]).*$/`,
    'Passw0rds',
    false,
  ],
])('%s on %j is %s', (pattern, text, isMet) => {
  expect(patternOf(pattern).test(text)).toBe(isMet)
})

test.each([
  ['(?=a)b', 'back-references and lookaround'],
  ['x(?=a)b', 'back-references and lookaround'],
  ['(?!a)b', 'back-references and lookaround'],
  ['(?<=a)b', 'back-references and lookaround'],
  ['(?<!a)b', 'back-references and lookaround'],
  [String.raw`(a)\1`, 'back-references and lookaround'],
  ['^(?=a)b|c', 'back-references and lookaround'],
  ['(', 'missing closing'],
  ['a{1,5000}', 'repeat count'],
  ['a'.repeat(1001), 'at most 1000 characters'],
])('%s is refused with the reason', (pattern, reason) => {
  expect(() => patternOf(pattern)).toThrow(PatternError)
  expect(() => patternOf(pattern)).toThrow(reason)
})

test.each([
  [String.raw`^(\w+\s?)+$`, `${'a'.repeat(50_000)}!`],
  ['(a|aa)+$', `${'a'.repeat(50_000)}!`],
  ['(.*)*z', 'q'.repeat(1_000_000)],
  ['1[01]{900}$', '1001'.repeat(250_000)],
  ['(1[01]{100}|0[01]{99}){1,9}$', '1001'.repeat(100)],
])('%s never takes longer than a moment', (pattern, text) => {
  const before = process.cpuUsage()
  patternOf(pattern).test(text)
  const { user } = process.cpuUsage(before)
  expect(user / 1000).toBeLessThan(1000)
})

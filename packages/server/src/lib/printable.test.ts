import { expect, test } from 'vitest'
import { printable } from './printable.ts'

test('text stays as it is', () => {
  expect(printable('Größe 表 “x” 😀')).toBe('Größe 表 “x” 😀')
})

test('characters that act on a terminal are written out', () => {
  expect(printable('a\u001b[2Jb\nc\td\u0000\u202e')).toBe('a\\u{1b}[2Jb\\nc\\td\\u{0}\\u{202e}')
})

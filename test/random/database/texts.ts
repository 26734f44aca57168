import type { Rng } from '../rng.ts'

/** Each operand text contains one of these; none may ever appear in the text of a statement. */
export const CANARIES: readonly string[] = [`4n"4`, `4N"4`, 'ʞ']

const WORDS = [
  'a',
  'B',
  'ab',
  'AB',
  'aB',
  'z',
  'Zoë',
  '7',
  '-3',
  '0.5',
  'a,b',
  'x/y',
  '50%',
  'a_b',
  'a\\b',
  '%',
  '_',
  '\\',
]
const ODD = [
  'true',
  'NULL',
  ' lead',
  'trail ',
  'İstanbul',
  'straße',
  'ÄÖÜ',
  'äöü',
  '日本語',
  '😀',
  '\u{10FFFF}',
  '\uFFFD',
  '$1',
  '--',
  '/*',
]
const BROKEN = [
  'new\nline',
  'tab\there',
  `'`,
  `''`,
  `"`,
  `" "`,
  ';',
  'é',
  'é',
  '\u200b',
  '(',
  ')',
  '[1]',
  '{"a":1}',
  '?',
  ':x',
]

export function canary(rng: Rng): string {
  const n = rng.int(1, 9)
  return rng.pick([`c'4n"4;--${n}`, `C'4N"4;--${n}`, `ʞ%_\\'${n}`, `a ʞ "${n}`, `ʞ`, `ʞA${n}`, `x\nʞ' or 1=1`])
}

/** A text to be stored; may be empty. */
export function randomText(rng: Rng): string {
  return rng.weighted([
    [9, () => ''],
    [30, () => rng.pick(WORDS)],
    [14, () => rng.pick(ODD)],
    [12, () => rng.pick(BROKEN)],
    [38, () => canary(rng)],
  ] as const)()
}

/** The service interprets these words as values of other types, as variables or as null. */
export function isSafeOperand(text: string): boolean {
  return text !== '' && !/^(true|false|null|NULL)$/.test(text) && !/^\$(NOW|CURRENT)/.test(text)
}

/** A substring, cut between code points. */
export function pieceOf(rng: Rng, text: string): string {
  const characters = Array.from(text)
  const start = rng.int(0, Math.max(0, characters.length - 1))
  return characters.slice(start, rng.int(start + 1, characters.length)).join('')
}

export function randomUuid(rng: Rng): string {
  const digits = Array.from({ length: 32 }, () => rng.int(0, 15).toString(16)).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

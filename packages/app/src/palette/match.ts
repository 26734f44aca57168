/** Something that can be found by typing, prepared once: what it is called, in comparable letters. */
export interface Candidate<T> {
  readonly value: T
  readonly names: readonly string[]
  /** Other words that lead to it, but count less than its names. */
  readonly also: readonly string[]
}

/** Letters as they are compared: without case, accents and the signs between words. */
export const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s_\-./:]+/gu, ' ')
    .trim()

export const candidate = <T>(value: T, names: readonly string[], also: readonly string[] = []): Candidate<T> => ({
  value,
  also: also.map(folded),
  names: [...new Set(names.map(folded))],
})

const WHOLE = 100
const BEGINNING = 90
const WORD = 75
const INSIDE = 55
const LETTERS = 30
/** What another word is worth compared with a name. */
const ALSO = 0.75

export interface Match<T> {
  readonly value: T
  readonly score: number
}

/** The best matches first; equal ones keep their order. Every word that is typed must match. */
export function matches<T>(typed: string, candidates: readonly Candidate<T>[], most: number): readonly Match<T>[] {
  const words = folded(typed).split(' ')
  if (words[0] === '') return candidates.slice(0, most).map(({ value }) => ({ value, score: 0 }))
  const found: Match<T>[] = []
  for (const { value, names, also } of candidates) {
    let score = 0
    for (const name of names) score = Math.max(score, scoreOf(words, name))
    for (const word of also) score = Math.max(score, ALSO * scoreOf(words, word))
    if (score > 0) found.push({ value, score })
  }
  return found.sort((left, right) => right.score - left.score).slice(0, most)
}

/** 0: no match. */
function scoreOf(words: readonly string[], name: string): number {
  let sum = 0
  for (const word of words) {
    const score = scoreOfWord(word, name)
    if (score === 0) return 0
    sum += score
  }
  // Of two names that match equally well, the shorter one is the more exact.
  return sum / words.length - Math.min(name.length, 60) / 20
}

function scoreOfWord(word: string, name: string): number {
  const at = name.indexOf(word)
  if (at === 0) return name.length === word.length ? WHOLE : BEGINNING
  if (at > 0) return name.includes(` ${word}`) ? WORD : INSIDE
  return lettersInOrder(word, name)
}

/** The letters of the word in their order, with others between, from the beginning of a word on: `ordln` finds `order lines`. */
function lettersInOrder(word: string, name: string): number {
  const first = word.charAt(0)
  let at = name.startsWith(first) ? 0 : name.indexOf(` ${first}`) + 1
  if (name[at] !== first) return 0
  let gaps = 0
  for (const letter of word.slice(1)) {
    const next = name.indexOf(letter, at + 1)
    if (next < 0) return 0
    if (name[next - 1] !== ' ') gaps += next - at - 1
    at = next
  }
  return Math.max(0, LETTERS - 3 * gaps)
}

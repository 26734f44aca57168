import { canonicalNumber } from './number.ts'
import { readColour, type Colour } from './colour.ts'
import { invalid } from './refusal.ts'

/** Checks a value and gives it in its one spelling. `name` is for messages. */
export type Reader<T = unknown> = (value: unknown, name: string) => T

/** Numbers may come as text: the values of a query string do. */
export const asInteger =
  (least: number, most: number): Reader<number> =>
  (value, name) => {
    const number = canonicalNumber(value)
    if (number === null || !Number.isInteger(number) || number < least || number > most)
      throw invalid(`"${name}" has to be an integer from ${least} to ${most}`)
    return number
  }

export const asNumber =
  (least: number, most: number): Reader<number> =>
  (value, name) => {
    const number = canonicalNumber(value)
    if (number === null || number < least || number > most)
      throw invalid(`"${name}" has to be a number from ${least} to ${most}`)
    return number
  }

export const asFlag: Reader<boolean> = (value, name) => {
  if (value === true || value === 'true' || value === '1' || value === '') return true
  if (value === false || value === 'false' || value === '0') return false
  throw invalid(`"${name}" has to be true or false`)
}

export const oneOf =
  <T extends string>(words: readonly T[]): Reader<T> =>
  (value, name) => {
    const word = words.find((known) => known === value)
    if (word === undefined) throw invalid(`"${name}" has to be one of ${words.join(', ')}`)
    return word
  }

export const asColour: Reader<Colour> = (value, name) => {
  const colour = readColour(value)
  if (colour === null) throw invalid(`"${name}" has to be a colour such as "#ff8800" or "rgb(255, 136, 0)"`)
  return colour
}

export const asList =
  <T>(lengths: readonly number[], read: Reader<T>): Reader<readonly T[]> =>
  (value, name) => {
    if (!Array.isArray(value) || !lengths.includes(value.length))
      throw invalid(`"${name}" has to be a list of ${lengths.join(' or ')} values`)
    return value.map((entry) => read(entry, name))
  }

export const either =
  <A, B>(first: Reader<A>, isFirst: (value: unknown) => boolean, second: Reader<B>): Reader<A | B> =>
  (value, name) =>
    isFirst(value) ? first(value, name) : second(value, name)

import type { Row } from '../../driver.ts'

/** A type whose values are whole numbers on a line; the text of a place between values is a valid value, too. */
export interface PlacesOf {
  /** Places are below 2 ** bits. */
  readonly bits: bigint
  readonly placeOf: (text: string) => bigint
  readonly textAt: (place: bigint) => string
}

const limited = (place: bigint, limit: bigint): bigint => (place < 0n ? 0n : place < limit ? place : limit - 1n)

/** Numbers in a range, with a fixed number of decimals; the range is given in units of the last one. */
export function numberPlaces(least: bigint, most: bigint, scale = 0): PlacesOf {
  const limit = most - least + 1n
  const unit = 10n ** BigInt(scale)
  return {
    bits: BigInt(limit.toString(2).length),
    placeOf: (text) => {
      const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
      const units = BigInt(whole) * unit + BigInt(fraction.slice(0, scale).padEnd(scale, '0') || '0')
      return limited((text.startsWith('-') ? -units : units) - least, limit)
    },
    textAt: (place) => {
      const value = limited(place, limit) + least
      const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
      const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
      return value < 0n ? `-${text}` : text
    },
  }
}

/** Integers of so many bits with a sign. */
export const integerPlaces = (bits: bigint): PlacesOf => numberPlaces(-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n)

const USUAL_DIGITS = 38

/** Decimals of a column; without a declared precision they have enough digits. */
export function decimalPlaces(precision: number | null, scale: number | null): PlacesOf {
  const most = 10n ** BigInt(precision ?? USUAL_DIGITS) - 1n
  return numberPlaces(-most, most, scale ?? 0)
}

const BYTES = 16

/** Bytes, written in hexadecimal digits. */
export const bytePlaces: PlacesOf = {
  bits: BigInt(BYTES * 8),
  placeOf: (text) => BigInt(`0x${text.slice(0, BYTES * 2).padEnd(BYTES * 2, '0')}`),
  textAt: (place) => place.toString(16).padStart(BYTES * 2, '0'),
}

const uuidText = (digits: string) =>
  [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-')

export const uuidPlaces: PlacesOf = {
  bits: 128n,
  placeOf: (text) => BigInt(`0x${text.replaceAll('-', '')}`),
  textAt: (place) => uuidText(place.toString(16).padStart(32, '0')),
}

/** Characters that every collation sorts alike; letters of one case where the collation does not distinguish cases. */
const SORTED = '0123456789abcdefghijklmnopqrstuvwxyz'
const SORTED_BY_CODE = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LETTERS = 12

/**
 * Texts by their first letters after a prefix that all of them have. A letter outside the alphabet counts as the
 * nearest one in it, so that the order of places is only nearly the order of the texts.
 */
export function textPlaces(prefix: string, isByCode: boolean): PlacesOf {
  const alphabet = isByCode ? SORTED_BY_CODE : SORTED
  const base = BigInt(alphabet.length)
  const limit = base ** BigInt(LETTERS)
  return {
    bits: BigInt(limit.toString(2).length),
    placeOf: (text) => {
      const own = isByCode ? text : text.toLowerCase()
      const rest = own.startsWith(isByCode ? prefix : prefix.toLowerCase()) ? own.slice(prefix.length) : own
      let place = 0n
      for (let index = 0; index < LETTERS; index += 1)
        place = place * base + BigInt(index < rest.length ? nearestIn(alphabet, rest.charAt(index)) : 0)
      return place
    },
    textAt: (place) => {
      let text = ''
      for (let rest = limited(place, limit); text.length < LETTERS; rest /= base)
        text = `${alphabet.charAt(Number(rest % base))}${text}`
      return `${prefix}${text}`
    },
  }
}

function nearestIn(alphabet: string, letter: string): number {
  const at = alphabet.indexOf(letter)
  if (at !== -1) return at
  for (let index = alphabet.length - 1; index > 0; index -= 1) if (alphabet.charAt(index) < letter) return index
  return 0
}

/** The texts that both ends of a key begin with. */
export function commonPrefix(first: string, last: string): string {
  let length = 0
  while (length < first.length && first.charAt(length) === last.charAt(length)) length += 1
  return first.slice(0, length)
}

/** The places of keys of several columns: the first column decides, then the second. */
export function tuplePlaces(columns: readonly PlacesOf[]): {
  readonly placeOf: (row: Row) => bigint
  readonly textsAt: (place: bigint) => readonly string[]
} {
  return {
    placeOf: (row) =>
      columns.reduce((sum, { bits, placeOf }, index) => sum * 2n ** bits + placeOf(row[index] ?? ''), 0n),
    textsAt: (place) => {
      let rest = place
      return columns
        .toReversed()
        .map(({ bits, textAt }) => {
          const own = rest % 2n ** bits
          rest /= 2n ** bits
          return textAt(own)
        })
        .toReversed()
    },
  }
}

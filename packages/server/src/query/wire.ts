import { invalidQuery } from '@tain/contract'
import { isExactNumber, parseExactJson } from '../lib/exact-json.ts'

/** Objects from a request; only own keys are read. */
export type WireObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is WireObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)

export function asObject(value: unknown, what: string): WireObject {
  const structured = typeof value === 'string' ? parseJson(value, what) : value
  if (!isObject(structured)) throw invalidQuery(`"${what}" has to be an object`)
  return structured
}

function parseJson(text: string, what: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    throw invalidQuery(`Invalid JSON for ${what} object`)
  }
}

/** A list written as an array, as an object with positions as keys (`a[0]=…`), or as a single entry. */
export function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (isObject(value)) {
    const keys = Object.keys(value)
    if (keys.every((key) => /^\d+$/u.test(key)))
      return keys.sort((a, b) => Number(a) - Number(b)).map((key) => value[key])
  }
  return [value]
}

export function asText(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalidQuery(`"${what}" has to be text`)
}

export function asInteger(value: unknown, what: string, least: number): number {
  const text = typeof value === 'string' ? value.trim() : value
  const number =
    typeof text === 'number' ? text : typeof text === 'string' && /^-?\d+$/u.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number) || number < least)
    throw invalidQuery(`"${what}" has to be a whole number, at least ${least}`)
  return number
}

export function asShare(value: unknown, what: string): number {
  const text = typeof value === 'string' ? value.trim() : value
  const isNumber = typeof text === 'number' || (typeof text === 'string' && /^\d+(\.\d+)?(e-?\d+)?$/iu.test(text))
  const number = isNumber ? Number(text) : Number.NaN
  if (!(number >= 0 && number <= 1)) throw invalidQuery(`"${what}" has to be a number from 0 to 1`)
  return number
}

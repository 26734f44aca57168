import type { Field } from '../model/field.ts'
import { plainText } from '../model/plain-text.ts'

const exact = new Set<Field['type']>(['bigInteger', 'decimal'])
const numeric = new Set<Field['type']>(['integer', 'float', 'bigInteger', 'decimal'])

export const isNumeric = ({ type }: Field): boolean => numeric.has(type)

/** The value that typed text stands for. Numbers beyond the precision of JavaScript stay text, digit by digit. */
export function valueOfText(field: Field, text: string): unknown {
  if (!isNumeric(field)) return text
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (exact.has(field.type)) return trimmed
  const number = Number(trimmed)
  return Number.isFinite(number) && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(trimmed) ? number : trimmed
}

/** Why typed text is no value of the field; null: it is one. */
export function problemOfText(field: Field, text: string): string | null {
  if (!isNumeric(field) || text.trim() === '') return null
  const isWhole = field.type === 'integer' || field.type === 'bigInteger'
  if (isWhole) return /^[+-]?\d+$/u.test(text.trim()) ? null : 'Write a whole number, such as 12.'
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text.trim()) ? null : 'Write a number, such as 12.5.'
}

export const textOfValue = (value: unknown): string => plainText(value)

const hints: readonly (readonly [RegExp, string])[] = [
  [/^(?:inet|cidr)/u, 'An address, such as 192.0.2.1 or 192.0.2.0/24'],
  [/^macaddr/u, 'A hardware address, such as 08:00:2b:01:02:03'],
  [/^interval/u, 'A duration, such as 1 day 02:30:00'],
  [/^(?:int4range|int8range|numrange)/u, 'A range, such as [1,10)'],
  [/^(?:tsrange|tstzrange|daterange)/u, 'A range, such as [2026-01-01,2026-02-01)'],
  [/^(?:bit|varbit)/u, 'Bits, such as 1010'],
  [/^point/u, 'A point, such as (1.5,2)'],
  [/^xml/u, 'An XML document'],
  [/^uuid/u, 'Such as 7331e0c7-5107-4f2f-a9c6-31ead35f1f20'],
]

/** What a value looks like, for types that do not explain themselves. */
export const formatHint = ({ schema, type }: Field): string | null =>
  type === 'string' || type === 'text' || type === 'unknown'
    ? (hints.find(([pattern]) => pattern.test(schema?.data_type ?? ''))?.[1] ?? null)
    : null

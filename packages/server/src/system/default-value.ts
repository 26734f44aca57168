import { forGeometries, invalidPayload, ServiceError } from '@tain/contract'
import { isExactNumber } from '../lib/exact-json.ts'
import type { ColumnDefault, ColumnForm, ColumnType } from '../schema/change.ts'

const value = (text: string): ColumnDefault => ({ kind: 'value', text })

const NOW = /^(now\(\)|current_timestamp(\(\d?\))?|localtimestamp|current_date|current_time)$/iu
const UUID = /^(gen_random_uuid\(\)|uuid_generate_v4\(\))$/iu
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/iu

const wrong = (type: ColumnType) => invalidPayload(`"schema.default_value" is no value of the type "${type}"`)

type Read = (given: unknown, type: ColumnType) => ColumnDefault

const asNumber =
  (pattern: RegExp): Read =>
  (given, type) => {
    const text = isExactNumber(given) ? given.rawJSON : typeof given === 'number' ? String(given) : given
    if (typeof text !== 'string' || text.length > 1000 || !pattern.test(text)) throw wrong(type)
    return value(text)
  }

const asWhole = asNumber(/^[+-]?\d+$/u)
const asDecimal = asNumber(NUMBER)

const asText: Read = (given, type) => {
  if (typeof given === 'number' || typeof given === 'boolean') return value(String(given))
  if (isExactNumber(given)) return value(given.rawJSON)
  if (typeof given !== 'string') throw wrong(type)
  return value(given)
}

const asTimestamp: Read = (given, type) => {
  if (typeof given !== 'string') throw wrong(type)
  return NOW.test(given.trim()) ? { kind: 'now' } : value(given)
}

const asList: Read = (given, type) =>
  Array.isArray(given) && given.every((entry) => typeof entry === 'string')
    ? value(given.join(','))
    : asText(given, type)

const asBoolean: Read = (given, type) => {
  const text = String(given)
  if (/^(true|1)$/iu.test(text)) return value('true')
  if (/^(false|0)$/iu.test(text)) return value('false')
  throw wrong(type)
}

const asJson: Read = (given) => {
  if (typeof given !== 'string') return value(JSON.stringify(given))
  try {
    JSON.parse(given)
    return value(given)
  } catch {
    return value(JSON.stringify(given))
  }
}

const asUuid: Read = (given, type) => {
  if (typeof given !== 'string') throw wrong(type)
  if (UUID.test(given.trim())) return { kind: 'uuid' }
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(given)) throw wrong(type)
  return value(given)
}

const asBinary: Read = (given, type) => {
  if (typeof given !== 'string' || !/^(?:[\w+/-]{4})*(?:[\w+/-]{2,3}={0,2})?$/u.test(given)) throw wrong(type)
  return value(`\\x${Buffer.from(given, 'base64').toString('hex')}`)
}

const none: Read = (_, type) => {
  throw invalidPayload(`A field of the type "${type}" cannot have a default`)
}

/** Default value readers by type. The patterns above are the only expressions; everything else is a quoted value. */
const readers: Readonly<Record<ColumnType, Read>> = {
  integer: asWhole,
  bigInteger: asWhole,
  float: asDecimal,
  decimal: asDecimal,
  string: asText,
  text: asText,
  hash: none,
  csv: asList,
  boolean: asBoolean,
  date: asTimestamp,
  time: asTimestamp,
  dateTime: asTimestamp,
  timestamp: asTimestamp,
  json: asJson,
  uuid: asUuid,
  binary: asBinary,
  ...forGeometries(none),
}

/** `schema.default_value` → a default; undefined and null mean none. */
export function readDefault(given: unknown, form: ColumnForm): ColumnDefault | null {
  if (given === undefined || given === null) return null
  const { type } = form
  const read = readers[type](given, type)
  if (read.kind !== 'value') return read
  checkText(read.text, 'schema.default_value')
  if (type === 'string' && lengthOf(read.text) > (form.maxLength ?? Infinity))
    throw new ServiceError('VALUE_TOO_LONG', 'The default is longer than the field allows.')
  if (type === 'decimal' && isTooLarge(Number(read.text), form))
    throw new ServiceError('VALUE_OUT_OF_RANGE', 'The default has more digits than the field allows.')
  return read
}

const lengthOf = (text: string) => text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0)

const isTooLarge = (number: number, { precision, scale }: ColumnForm) =>
  precision !== null && Math.abs(number) >= 10 ** (precision - (scale ?? 0))

/** Rejects text that the database cannot store. */
export function checkText(text: string, what: string): void {
  if (text.includes('\0')) throw invalidPayload(`"${what}" cannot contain a zero byte`)
  if (!text.isWellFormed()) throw invalidPayload(`"${what}" is no well-formed text`)
}

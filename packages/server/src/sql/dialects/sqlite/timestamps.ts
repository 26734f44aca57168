import type { DatabaseColumn } from '../../database-schema.ts'
import { readTimestamp, readTime, shownDateTime, shownTime, shownTimestamp } from '../../time-text.ts'

/** The parts of a timestamp: the date, and the time with a fraction of a second. */
const pattern =
  /^(\d{4,6})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/iu

/** The year that numbers count from, if it is not 1970. */
export type Epoch = DatabaseColumn['epoch']

const two = (value: number) => String(value).padStart(2, '0')

const FRACTION = 6
const SECONDS_LENGTH = 'yyyy-mm-dd hh:mm:ss'.length
const KEY_LENGTH = SECONDS_LENGTH + 1 + FRACTION
const MICROSECONDS = 1_000_000

interface Timestamp {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly micro: number
  /** Minutes east of Greenwich; null if the text has no time zone. */
  readonly offset: number | null
}

function offsetOf(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^z$/iu.test(text)) return 0
  const digits = text.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4) || '0')
  return text.startsWith('-') ? -minutes : minutes
}

function read(text: string): Timestamp | null {
  const found = pattern.exec(text.trim())
  if (found === null) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = found
  const micro = Math.round(Number(`0.${fraction || '0'}`) * MICROSECONDS)
  const timestamp = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    micro,
    offset: offsetOf(zone),
  }
  const isDay = timestamp.day >= 1 && timestamp.day <= daysOf(timestamp.year, timestamp.month)
  const isTime =
    timestamp.minute < 60 &&
    timestamp.second <= 60 &&
    (timestamp.hour < 24 || (timestamp.hour === 24 && timestamp.minute === 0))
  return isDay && isTime && timestamp.year > 0 ? timestamp : null
}

const daysOf = (year: number, month: number): number =>
  month >= 1 && month <= 12 ? new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate() : 0

/** Always six digits of a fraction, so that texts sort like timestamps. */
function key({ year, month, day, hour, minute, second, micro, offset }: Timestamp): string {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute - (offset ?? 0), second, 0)
  const carried = micro === MICROSECONDS ? 1 : 0
  if (carried > 0) date.setUTCSeconds(date.getUTCSeconds() + 1)
  const days = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
  return `${days} ${time}.${String(carried > 0 ? 0 : micro).padStart(FRACTION, '0')}`
}

/** Texts that need no calendar: every month has that day, and there is no time zone. */
const plain = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/u

const isKey = (text: string) => text.length === 26 && text.charCodeAt(19) === 46 && text.charCodeAt(10) === 32

/**
 * A timestamp in one form. `heedsZone` converts it to UTC; otherwise a time zone is ignored. null for any other text.
 */
export function timestampKey(text: string, heedsZone: boolean): string | null {
  if (isKey(text)) return text
  if (plain.test(text) && !text.startsWith('0000'))
    return text.length === SECONDS_LENGTH ? `${text}.000000` : text.padEnd(KEY_LENGTH, '0')
  const timestamp = read(text)
  return timestamp === null ? null : key(heedsZone ? timestamp : { ...timestamp, offset: null })
}

const MILLISECONDS = 1000
/** Seconds from 1970 to 2001. */
const FROM_1970_TO_2001 = 978_307_200

/** Microseconds in the unit of a number: seconds, or a smaller unit if it is too large for seconds. */
const unitOf = (value: number): number =>
  Math.abs(value) < 1e11 ? MICROSECONDS : Math.abs(value) < 1e14 ? MILLISECONDS : 1

/** null if it is no year that a response can show. */
export function timestampOfNumber(value: number, epoch?: Epoch): string | null {
  const micro =
    epoch === 2001 ? Math.round((value + FROM_1970_TO_2001) * MICROSECONDS) : Math.round(value * unitOf(value))
  const rest = ((micro % MICROSECONDS) + MICROSECONDS) % MICROSECONDS
  const date = new Date((micro - rest) / MILLISECONDS)
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return null
  return `${date.toISOString().slice(0, -5).replace('T', ' ')}.${String(rest).padStart(FRACTION, '0')}`
}

const microsecondsOf = (key: string): bigint =>
  BigInt(Date.parse(`${key.slice(0, -7).replace(' ', 'T')}Z`)) * 1000n + BigInt(key.slice(-FRACTION))

const inUnits = (micro: bigint, unit: number): number | bigint =>
  micro % BigInt(unit) === 0n ? micro / BigInt(unit) : Number(micro) / unit

/** A timestamp as seconds since 2001; any other text unchanged. */
export function secondsSince2001(text: string): number | bigint | string {
  const key = timestampKey(text, true)
  if (key === null) return text
  return inUnits(microsecondsOf(key) - BigInt(FROM_1970_TO_2001) * BigInt(MICROSECONDS), MICROSECONDS)
}

/** A timestamp as a number in the unit of another one; unchanged if it would not be read as the same time. */
export function numberLike(text: string, other: number): number | bigint | string {
  const key = timestampKey(text, true)
  if (key === null || timestampOfNumber(other) === null) return text
  const number = inUnits(microsecondsOf(key), unitOf(other))
  return timestampOfNumber(Number(number)) === key ? number : text
}

/** A stored value in one form; null if it is not a timestamp. A text of digits is a number that was read as text. */
export const storedTimestamp = (text: string, heedsZone: boolean, epoch?: Epoch): string | null =>
  /^-?\d+(\.\d+)?(e[+-]?\d+)?$/iu.test(text) ? timestampOfNumber(Number(text), epoch) : timestampKey(text, heedsZone)

/** A stored value as responses show it. Text that is not a timestamp is shown unchanged. */
export function shownStoredTimestamp(text: string, epoch?: Epoch): string {
  const key = storedTimestamp(text, true, epoch)
  return key === null ? text : shownTimestamp(key)
}

export function shownClock(text: string): string {
  const key = storedTimestamp(text, false)
  return key === null ? text : shownDateTime(key)
}

export const shownTimeOfDay = (text: string): string => {
  const time = timeOf(text)
  return time === null ? text : shownTime(time)
}

/** A timestamp as a caller writes it, in the form that timestamps are compared in; null for any other text. */
export const sentTimestamp = (text: string, heedsZone: boolean): string | null =>
  readTimestamp(text) === null ? null : timestampKey(text.trim(), heedsZone)

export const sentDate = (text: string): string | null => readTimestamp(text)?.date ?? null

export const sentTime = (text: string): string | null => (readTime(text) === null ? null : timeOf(text))

/** A timestamp as the service writes it: without a fraction if there is none. */
export const shortTimestamp = (timestamp: string): string =>
  timestamp.endsWith('.000000')
    ? timestamp.slice(0, 19)
    : timestamp.endsWith('000')
      ? timestamp.slice(0, 23)
      : timestamp

/** The date of a timestamp. */
export function dateOf(text: string): string | null {
  const timestamp = read(text)
  return timestamp === null ? null : key({ ...timestamp, offset: null }).slice(0, 10)
}

/** A time of day in one form. */
export function timeOf(text: string): string | null {
  const found = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6})\d*)?)?$/u.exec(text.trim())
  if (found === null) return null
  const [, hour = '', minute = '', second = '00', fraction = ''] = found
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return null
  const rest = fraction.replace(/0+$/u, '')
  return `${two(Number(hour))}:${minute}:${second}${rest === '' ? '' : `.${rest}`}`
}

const DAY = 86_400_000

function utcOf(text: string): Date | null {
  const found = timestampKey(text, true)
  if (found === null) return null
  const date = new Date(0)
  date.setUTCFullYear(Number(found.slice(0, -22)), Number(found.slice(-21, -19)) - 1, Number(found.slice(-18, -16)))
  date.setUTCHours(Number(found.slice(-15, -13)), Number(found.slice(-12, -10)), Number(found.slice(-9, -7)))
  return date
}

/** The ISO week, which its Thursday determines. */
function weekOf(date: Date): number {
  const thursday = new Date(date.getTime())
  thursday.setUTCHours(0, 0, 0, 0)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const first = new Date(0)
  first.setUTCFullYear(thursday.getUTCFullYear(), 0, 1)
  return Math.floor((thursday.getTime() - first.getTime()) / DAY / 7) + 1
}

const parts: Readonly<Record<string, (date: Date) => number>> = {
  year: (date) => date.getUTCFullYear(),
  month: (date) => date.getUTCMonth() + 1,
  week: weekOf,
  day: (date) => date.getUTCDate(),
  weekday: (date) => date.getUTCDay(),
  hour: (date) => date.getUTCHours(),
  minute: (date) => date.getUTCMinutes(),
  second: (date) => date.getUTCSeconds(),
}

/** A part of a date, a timestamp or a time of day. */
export function partOf(part: string, text: string): number | null {
  const date = utcOf(/^\d{1,2}:/u.test(text) ? `2000-01-01 ${text}` : text)
  return date === null ? null : (parts[part]?.(date) ?? null)
}

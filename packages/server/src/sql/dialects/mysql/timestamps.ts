import { readTimestamp, readTime, type Timestamp } from '../../time-text.ts'

/** Dates and times as callers write them, in the one form that the server accepts; null for any other text. */

const two = (value: number) => String(value).padStart(2, '0')

const clock = (date: Date): string =>
  `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`

const fractionOf = (micro: number): string => (micro === 0 ? '' : `.${String(micro).padStart(6, '0')}`)

const MICROSECONDS = 1_000_000
const YEARS = 4

/** Subtracts `offset`. The result is in UTC if it is the offset of the text. */
function spelled({ date, hour, minute, second, micro }: Timestamp, offset: number): string | null {
  const [year = '', month = '', day = ''] = date.split('-')
  const at = new Date(0)
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  at.setUTCHours(hour, minute - offset, second + (micro === MICROSECONDS ? 1 : 0))
  const years = String(at.getUTCFullYear()).padStart(YEARS, '0')
  if (years.length > YEARS || at.getUTCFullYear() < 1) return null
  const days = `${years}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`
  return `${days} ${clock(at)}${fractionOf(micro % MICROSECONDS)}`
}

export function dateText(text: string): string | null {
  const date = readTimestamp(text)?.date
  return date === undefined || date.length > 'yyyy-mm-dd'.length ? null : date
}

/** A local date and time: the time zone is not stored. */
export function dateTimeText(text: string): string | null {
  const timestamp = readTimestamp(text)
  return timestamp === null ? null : spelled(timestamp, 0)
}

/** A point in time, in UTC. */
export function timestampText(text: string): string | null {
  const timestamp = readTimestamp(text)
  return timestamp === null ? null : spelled(timestamp, timestamp.offset ?? 0)
}

/** Besides times of day, the durations that the type stores and shows here: `-01:30:00`, `838:59:59`. */
const distance = /^-?(?:\d{2}|[0-7]\d{2}|8[0-2]\d|83[0-8]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/u

export const timeText = (text: string): string | null =>
  readTime(text) !== null || distance.test(text) ? text.trim() : null

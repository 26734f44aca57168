/**
 * Dates and times as text, the same for every database: ISO 8601 with a `T` or a space; seconds and time zone are
 * optional. Words such as `yesterday`, and formats that only one database accepts, are invalid.
 */
export interface Timestamp {
  /** `2024-02-29`. */
  readonly date: string
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** Microseconds; one million if the fraction rounds up to the next second. */
  readonly micro: number
  /** UTC offset in minutes, positive to the east; null if no time zone is given. */
  readonly offset: number | null
}

const timestampPattern =
  /^(\d{4,6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/iu
const timePattern = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?$/u

const DIGITS = 6
const MICROSECONDS = 10 ** DIGITS

const microOf = (fraction: string): number =>
  fraction.length <= DIGITS ? Number(fraction.padEnd(DIGITS, '0')) : Math.round(Number(`0.${fraction}`) * MICROSECONDS)

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const daysOf = (year: number, month: number): number => (month === 2 && isLeap(year) ? 29 : (days[month - 1] ?? 0))

/** The largest UTC offset that PostgreSQL accepts. */
const MAX_OFFSET = 15 * 60 + 59

function offsetOf(zone: string | undefined): number | null {
  if (zone === undefined) return null
  if (zone.length === 1) return 0
  const digits = zone.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || '0')
  return zone.startsWith('-') ? -minutes : minutes
}

/** Parses a date, or a date and a time; null for any other text. */
export function readTimestamp(text: string): Timestamp | null {
  const found = timestampPattern.exec(text.trim())
  if (found === null) return null
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '', zone] = found
  const offset = offsetOf(zone)
  const isReal =
    Number(year) > 0 &&
    Number(day) > 0 &&
    Number(day) <= daysOf(Number(year), Number(month)) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Math.abs(offset ?? 0) <= MAX_OFFSET
  if (!isReal) return null
  return {
    date: `${year}-${month}-${day}`,
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    micro: microOf(fraction),
    offset,
  }
}

export type TimeOfDay = Pick<Timestamp, 'hour' | 'minute' | 'second' | 'micro'>

/** Parses a time of day; 24:00:00, the end of the day, is valid too. */
export function readTime(text: string): TimeOfDay | null {
  const found = timePattern.exec(text.trim())
  if (found === null) return null
  const [, hour = '', minute = '', second = '0', fraction = ''] = found
  const time = { hour: Number(hour), minute: Number(minute), second: Number(second), micro: microOf(fraction) }
  const isEnd = time.hour === 24 && time.minute === 0 && time.second === 0 && time.micro === 0
  return isEnd || (time.hour < 24 && time.minute < 60 && time.second < 60) ? time : null
}

/**
 * A fraction of a second in a response: three digits, or six if three are not exact. Zero is omitted unless `isAlways`.
 */
export function shownFraction(digits: string, isAlways: boolean): string {
  const exact = digits.padEnd(DIGITS, '0')
  if (!exact.endsWith('000')) return `.${exact}`
  return exact.startsWith('000') && !isAlways ? '' : `.${exact.slice(0, 3)}`
}

/** `2024-02-29 12:00:00.5` → `2024-02-29T12:00:00.500Z`. */
export function shownTimestamp(text: string): string {
  const dot = text.indexOf('.', 19)
  const [seconds, digits] = dot === -1 ? [text, ''] : [text.slice(0, dot), text.slice(dot + 1)]
  return `${seconds.replace(' ', 'T')}${shownFraction(digits, true)}Z`
}

/** `2024-02-29 12:00:00.5` → `2024-02-29T12:00:00.500`. */
export function shownDateTime(text: string): string {
  const dot = text.indexOf('.', 19)
  if (dot === -1) return text.replace(' ', 'T')
  return `${text.slice(0, dot).replace(' ', 'T')}${shownFraction(text.slice(dot + 1), false)}`
}

/** `12:00:00.5` → `12:00:00.500`. */
export function shownTime(text: string): string {
  const dot = text.indexOf('.')
  return dot === -1 ? text : `${text.slice(0, dot)}${shownFraction(text.slice(dot + 1), false)}`
}

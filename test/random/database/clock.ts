/** Dates are days and times are microseconds since 1970, so that they compare as numbers. */
export const MICROS_PER_SECOND = 1_000_000
export const MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND
const MS_PER_DAY = 86_400_000

export function daysOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / MS_PER_DAY
}

export function printDate(days: number): string {
  return dateAt(days).toISOString().slice(0, 10)
}

/** Prints the time of day with the given number of decimals; the rest is truncated, not rounded. */
export function printTime(micros: number, decimals = 0): string {
  const seconds = Math.floor(micros / MICROS_PER_SECOND)
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const fraction = String(micros % MICROS_PER_SECOND).padStart(6, '0')
  const text = clock.map((part) => String(part).padStart(2, '0')).join(':')
  return decimals === 0 ? text : `${text}.${fraction.slice(0, decimals)}`
}

export function splitMoment(micros: number): { days: number; time: number } {
  const days = Math.floor(micros / MICROS_PER_DAY)
  return { days, time: micros - days * MICROS_PER_DAY }
}

export function printMoment(micros: number, decimals = 0): string {
  const { days, time } = splitMoment(micros)
  return `${printDate(days)}T${printTime(time, decimals)}`
}

/** The decimals in responses: three, or six where three are not exact. Whole seconds have `least` decimals. */
export function shownDecimals(micros: number, least: 0 | 3): 0 | 3 | 6 {
  const fraction = ((micros % MICROS_PER_SECOND) + MICROS_PER_SECOND) % MICROS_PER_SECOND
  if (fraction === 0) return least
  return fraction % 1000 === 0 ? 3 : 6
}

export type DatePart = 'year' | 'month' | 'week' | 'day' | 'weekday'
export type TimePart = 'hour' | 'minute' | 'second'

export const DATE_PARTS: Readonly<Record<DatePart, (days: number) => number>> = {
  year: (days) => dateAt(days).getUTCFullYear(),
  month: (days) => dateAt(days).getUTCMonth() + 1,
  week: isoWeek,
  day: (days) => dateAt(days).getUTCDate(),
  weekday: (days) => dateAt(days).getUTCDay(),
}

export const TIME_PARTS: Readonly<Record<TimePart, (micros: number) => number>> = {
  hour: (micros) => Math.floor(micros / MICROS_PER_SECOND / 3600),
  minute: (micros) => Math.floor(micros / MICROS_PER_SECOND / 60) % 60,
  second: (micros) => Math.floor(micros / MICROS_PER_SECOND) % 60,
}

function dateAt(days: number): Date {
  return new Date(days * MS_PER_DAY)
}

/** The week that contains this week's Thursday; week 1 contains the year's first Thursday. */
function isoWeek(days: number): number {
  const mondayBased = (dateAt(days).getUTCDay() + 6) % 7
  const thursday = days - mondayBased + 3
  const firstDay = daysOf(dateAt(thursday).getUTCFullYear(), 1, 1)
  return 1 + Math.floor((thursday - firstDay) / 7)
}

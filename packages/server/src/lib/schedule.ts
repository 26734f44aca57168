/** Points in time that repeat: for each field of a time, the values that it may have. */
export interface Schedule {
  readonly second: ReadonlySet<number>
  readonly minute: ReadonlySet<number>
  readonly hour: ReadonlySet<number>
  readonly day: ReadonlySet<number>
  readonly month: ReadonlySet<number>
  readonly weekday: ReadonlySet<number>
  /** If both days are restricted, one of them is enough. */
  readonly isEitherDay: boolean
}

const fields = [
  ['second', 0, 59],
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day', 1, 31],
  ['month', 1, 12],
  ['weekday', 0, 7],
] as const

/** The text of cron: five fields, or six with seconds in front. Null: it is none. */
export function parseSchedule(text: string): Schedule | null {
  const parts = text.trim().split(/\s+/u)
  if (parts.length === 5) parts.unshift('0')
  if (parts.length !== fields.length) return null
  const sets = fields.map(([, least, most], index) => valuesIn(parts[index] ?? '', least, most))
  const [second, minute, hour, day, month, weekday] = sets
  if (!second || !minute || !hour || !day || !month || !weekday) return null
  const isEitherDay = parts[3] !== '*' && parts[5] !== '*'
  return { second, minute, hour, day, month, weekday: new Set([...weekday].map((number) => number % 7)), isEitherDay }
}

function valuesIn(text: string, least: number, most: number): Set<number> | null {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const [, all, from, to, step] = /^(?:(\*)|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/u.exec(part) ?? []
    if (all === undefined && from === undefined) return null
    const first = all === undefined ? Number(from) : least
    const last = all !== undefined ? most : to !== undefined ? Number(to) : step === undefined ? first : most
    const stride = Number(step ?? 1)
    if (first < least || last > most || first > last || stride === 0) return null
    for (let value = first; value <= last; value += stride) values.add(value)
  }
  return values
}

/** February 29 on a certain weekday returns after 28 years, and not in years like 2100. */
const LATEST = 41 * 366

/** The first such time after another one, in UTC; null: there is none. */
export function nextTime(schedule: Schedule, after: Date): Date | null {
  const start = new Date(Math.floor(after.getTime() / 1000) * 1000 + 1000)
  const midnight = Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate())
  for (let day = 0; day < LATEST; day += 1) {
    const date = new Date(midnight + day * 86_400_000)
    const time = isDay(schedule, date) ? timeOn(schedule, date, start) : null
    if (time !== null) return time
  }
  return null
}

function isDay({ day, month, weekday, isEitherDay }: Schedule, date: Date): boolean {
  const [inMonth, inWeek] = [day.has(date.getUTCDate()), weekday.has(date.getUTCDay())]
  return month.has(date.getUTCMonth() + 1) && (isEitherDay ? inMonth || inWeek : inMonth && inWeek)
}

const ascending = (values: ReadonlySet<number>) => [...values].sort((a, b) => a - b)

function timeOn({ hour, minute, second }: Schedule, midnight: Date, start: Date): Date | null {
  for (const hours of ascending(hour))
    for (const minutes of ascending(minute)) {
      const begin = midnight.getTime() + (hours * 60 + minutes) * 60_000
      if (begin + 60_000 <= start.getTime()) continue
      const seconds = ascending(second).find((value) => begin + value * 1000 >= start.getTime())
      if (seconds !== undefined) return new Date(begin + seconds * 1000)
    }
  return null
}

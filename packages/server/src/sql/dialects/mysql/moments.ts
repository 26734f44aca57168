/** Dates and times as callers write them, in the one spelling the server takes; null for what is none. */

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/iu

interface Moment {
  readonly date: string
  readonly time: string
  readonly fraction: string
  /** Minutes east of Greenwich; 0 where nothing is said. */
  readonly offset: number
  readonly milliseconds: number
}

function read(text: string): Moment | null {
  const found = pattern.exec(text.trim())
  if (found === null) return null
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', zone = ''] = found
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  const back = new Date(at)
  if (Number(year) < 100) back.setUTCFullYear(Number(year))
  const isReal =
    back.getUTCMonth() === Number(month) - 1 &&
    back.getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60
  if (!isReal) return null
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/u.exec(zone) ?? []
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return {
    date: `${year}-${month}-${day}`,
    time: `${hour}:${minute}:${second}`,
    fraction: fraction.slice(0, 6),
    offset,
    milliseconds: back.getTime(),
  }
}

const withFraction = (text: string, fraction: string) => (fraction === '' ? text : `${text}.${fraction}`)

export const dateText = (text: string): string | null => read(text)?.date ?? null

/** A time on somebody's clock: where that clock is, is not kept. */
export function dateTimeText(text: string): string | null {
  const moment = read(text)
  return moment === null ? null : withFraction(`${moment.date} ${moment.time}`, moment.fraction)
}

/** A point in time, in UTC. */
export function timestampText(text: string): string | null {
  const moment = read(text)
  if (moment === null) return null
  const utc = new Date(moment.milliseconds - moment.offset * 60_000).toISOString()
  return withFraction(utc.slice(0, 19).replace('T', ' '), moment.fraction)
}

export const timeText = (text: string): string | null =>
  /^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?$/u.test(text) ? text : null

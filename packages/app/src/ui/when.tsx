const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** A moment as people speak of it: the nearer, the more exact. */
export function momentWords(at: Date, now: Date = new Date()): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  const distance = Math.abs(seconds)
  if (distance < 45) return 'just now'
  if (distance < 45 * MINUTE) return relative.format(Math.round(seconds / MINUTE), 'minute')
  if (distance < 22 * HOUR) return relative.format(Math.round(seconds / HOUR), 'hour')
  if (distance < 14 * DAY) return relative.format(Math.round(seconds / DAY), 'day')
  return day.format(at)
}

/** A moment, with its exact time as its hint. */
export function When({ at, isExact = false }: { readonly at: string; readonly isExact?: boolean }) {
  const moment = new Date(at)
  if (Number.isNaN(moment.getTime())) return <>{at}</>
  return (
    <time dateTime={at} title={whole.format(moment)}>
      {isExact ? whole.format(moment) : momentWords(moment)}
    </time>
  )
}

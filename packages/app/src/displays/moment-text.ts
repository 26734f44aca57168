const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: string, name: 'day' | 'moment', timeZone: string | undefined): Intl.DateTimeFormat {
  const id = `${language} ${name} ${timeZone ?? ''}`
  const known = formats.get(id)
  if (known !== undefined) return known
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const made = new Intl.DateTimeFormat(language, {
    ...day,
    ...(name === 'moment' ? clock : {}),
    ...(timeZone === undefined ? {} : { timeZone }),
  })
  formats.set(id, made)
  return made
}

/** `2026-02-01` → Feb 1, 2026. What is no date stays as it is. */
export function dayText(value: unknown, language: string): string {
  const text = String(value)
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(text)) return text
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(time) ? text : formatOf(language, 'day', 'UTC').format(time)
}

const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/u

/** A moment on the reader's clock. One without a zone is shown as it is written: nobody knows whose clock it means. */
export function momentText(value: unknown, language: string): string {
  const text = String(value)
  const hasZone = zoned.test(text)
  const time = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(time) ? text : formatOf(language, 'moment', hasZone ? undefined : 'UTC').format(time)
}

/** `14:30:00` → 14:30. */
export const timeText = (value: unknown): string => String(value).replace(/^(\d{2}:\d{2}):00(?:\.0+)?$/u, '$1')

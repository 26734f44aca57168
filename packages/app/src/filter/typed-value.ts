import type { Field } from '../model/field.ts'

/** A number as it is sent: digits beyond what JavaScript keeps stay text. */
export function typedNumber(text: string): number | string {
  const trimmed = text.trim()
  const number = Number(trimmed)
  return trimmed !== '' && String(number) === trimmed && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text
}

/** A time of the API as the browser's input holds it, in the zone of the browser. */
export function localTime(text: string, type: Field['type']): string {
  if (text === '') return ''
  if (type === 'date') return text.slice(0, 10)
  if (type === 'time') return text.slice(0, 8)
  if (type === 'dateTime') return text.slice(0, 19)
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** What the browser's input holds, as the API takes it. */
export function wireTime(text: string, type: Field['type']): string {
  if (text === '' || type !== 'timestamp') return text
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

import type { Field } from '../model/field.ts'

const pad = (number: number): string => String(number).padStart(2, '0')

/** A moment as the browser's own input takes it, in the zone of the reader. */
export function localText(value: string): string {
  const at = new Date(value)
  if (Number.isNaN(at.getTime())) return ''
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}${thousandths(at)}`
}

const thousandths = (at: Date): string =>
  at.getMilliseconds() === 0 ? '' : `.${String(at.getMilliseconds()).padStart(3, '0')}`

/** The type of the browser's input for a field of time. */
export const inputTypes = {
  date: 'date',
  time: 'time',
  dateTime: 'datetime-local',
  timestamp: 'datetime-local',
} as const satisfies Partial<Record<Field['type'], string>>

const isTimeType = (type: Field['type']): type is keyof typeof inputTypes => Object.hasOwn(inputTypes, type)

export const inputTypeOf = (type: Field['type']): (typeof inputTypes)[keyof typeof inputTypes] | 'text' =>
  isTimeType(type) ? inputTypes[type] : 'text'

/** The text of an input for a value of the service. */
export function inputText(type: Field['type'], value: unknown): string {
  if (typeof value !== 'string') return ''
  if (type === 'timestamp') return localText(value)
  if (type === 'time') return value.replace(/[+-]\d\d.*$/u, '')
  return value.replace(/\.0+$/u, '')
}

/** The value of the service for the text of an input. */
export function timeValue(type: Field['type'], text: string): string | null {
  if (text === '') return null
  if (type === 'timestamp') return new Date(text).toISOString()
  return type === 'date' ? text : withSeconds(text)
}

const withSeconds = (text: string): string =>
  /\d\d:\d\d$/u.test(text) && !/:\d\d:\d\d$/u.test(text) ? `${text}:00` : text

/** The zone in which moments are shown: its name and its distance from UTC. */
export function zoneName(at = new Date()): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const minutes = -at.getTimezoneOffset()
  const sign = minutes < 0 ? '−' : '+'
  const distance = `${sign}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`
  return minutes === 0 && timeZone === 'UTC' ? 'UTC' : `${timeZone.replaceAll('_', ' ')}, UTC${distance}`
}

import type { IconName } from '../ui/icon-names.ts'
import type { Field } from './field.ts'
import { plainText } from './plain-text.ts'

/** How a value is shown and edited, whatever the database calls its type. */
export const kinds = [
  'key',
  'text',
  'number',
  'boolean',
  'date',
  'moment',
  'time',
  'choice',
  'json',
  'list',
  'secret',
  'relation',
  'rows',
  'binary',
  'other',
] as const
export type Kind = (typeof kinds)[number]

interface KindRow {
  readonly icon: IconName
  /** The width of a column at first, in pixels. */
  readonly width: number
  readonly isAtEnd: boolean
}

export const kindRows: Readonly<Record<Kind, KindRow>> = {
  key: { icon: 'key-round', width: 96, isAtEnd: true },
  text: { icon: 'type', width: 170, isAtEnd: false },
  number: { icon: 'hash', width: 104, isAtEnd: true },
  boolean: { icon: 'toggle-left', width: 76, isAtEnd: false },
  date: { icon: 'calendar', width: 118, isAtEnd: false },
  moment: { icon: 'calendar-clock', width: 152, isAtEnd: false },
  time: { icon: 'clock', width: 96, isAtEnd: false },
  choice: { icon: 'circle-dot', width: 124, isAtEnd: false },
  json: { icon: 'braces', width: 170, isAtEnd: false },
  list: { icon: 'brackets', width: 150, isAtEnd: false },
  secret: { icon: 'lock', width: 96, isAtEnd: false },
  relation: { icon: 'arrow-up-right', width: 196, isAtEnd: false },
  rows: { icon: 'list', width: 96, isAtEnd: false },
  binary: { icon: 'binary', width: 110, isAtEnd: false },
  other: { icon: 'shapes', width: 150, isAtEnd: false },
}

const secrets = new Set(['hash', 'conceal', 'encrypt'])

export function kindOf(field: Field): Kind {
  const { type, schema, meta } = field
  if ((meta?.special ?? []).some((each) => secrets.has(each))) return 'secret'
  if (schema?.foreign_key_table !== null && schema?.foreign_key_table !== undefined) return 'relation'
  if (choicesOf(field) !== null) return 'choice'
  if (schema?.is_primary_key === true && (type === 'integer' || type === 'bigInteger')) return 'key'
  return typeKinds[type]
}

const typeKinds: Readonly<Record<Field['type'], Kind>> = {
  string: 'text',
  text: 'text',
  uuid: 'text',
  integer: 'number',
  bigInteger: 'number',
  float: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'moment',
  timestamp: 'moment',
  time: 'time',
  json: 'json',
  csv: 'list',
  binary: 'binary',
  hash: 'secret',
  geometry: 'other',
  'geometry.Point': 'other',
  'geometry.LineString': 'other',
  'geometry.Polygon': 'other',
  'geometry.MultiPoint': 'other',
  'geometry.MultiLineString': 'other',
  'geometry.MultiPolygon': 'other',
  unknown: 'other',
  alias: 'rows',
}

export interface Choice {
  readonly value: string
  readonly text: string
}

/** The values a field is limited to: an enum of the database, or the choices of its interface. */
export function choicesOf({ schema, meta }: Field): readonly Choice[] | null {
  const given = meta?.options?.['choices']
  if (Array.isArray(given))
    return (given as readonly unknown[]).flatMap((each) => {
      if (typeof each === 'string') return [{ value: each, text: each }]
      const { value, text } = (each ?? {}) as { readonly value?: unknown; readonly text?: unknown }
      return value === undefined
        ? []
        : [{ value: plainText(value), text: typeof text === 'string' ? text : plainText(value) }]
    })
  const values = schema?.enum_values
  return Array.isArray(values) && values.length > 0 ? values.map((value: string) => ({ value, text: value })) : null
}

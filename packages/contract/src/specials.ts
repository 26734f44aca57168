import type { FieldType } from './field-types.ts'

/** Shown in place of a secret. */
export const MASK = '**********'

/** Effect of a flag in `meta.special` on reads: an alias without a column, no data, another type, or a secret. */
interface SpecialRow {
  readonly type?: FieldType
  /** The value is never returned, regardless of other flags. */
  readonly secret?: true
  readonly alias?: true
  readonly noData?: true
}

const table = {
  uuid: { type: 'uuid' },
  file: { type: 'uuid' },
  hash: { type: 'hash', secret: true },
  'cast-json': { type: 'json' },
  'cast-csv': { type: 'csv' },
  'cast-timestamp': { type: 'timestamp' },
  'cast-datetime': { type: 'dateTime' },
  'cast-boolean': {},
  conceal: { secret: true },
  encrypt: { secret: true },
  'user-created': {},
  'user-updated': {},
  'role-created': {},
  'role-updated': {},
  'date-created': {},
  'date-updated': {},
  m2o: {},
  o2m: { alias: true },
  m2m: { alias: true },
  m2a: { alias: true },
  o2a: { alias: true },
  files: { alias: true },
  translations: { alias: true },
  alias: { alias: true },
  group: { alias: true },
  'no-data': { alias: true, noData: true },
} as const satisfies Record<string, SpecialRow>

export type Special = keyof typeof table

export const specials: Readonly<Record<Special, SpecialRow>> = table

export const isSpecial = (name: string): name is Special => Object.hasOwn(specials, name)

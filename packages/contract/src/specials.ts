import type { FieldType } from './field-types.ts'

/** What a flag in `meta.special` means while reading: an alias without column, no data at all, another type, a secret. */
interface SpecialRow {
  readonly type?: FieldType
  /** Never told, whatever other flags there are. */
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

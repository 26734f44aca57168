import type { OperatorFamily } from './operators.ts'

/** The service's own types. `operators`: their operator family; `search`: whether and how `search` covers them. */
export const fieldTypes = {
  string: { operators: 'text', search: 'text' },
  text: { operators: 'text', search: 'text' },
  csv: { operators: 'text', search: null },
  binary: { operators: 'key', search: null },
  uuid: { operators: 'key', search: 'uuid' },
  integer: { operators: 'ordered', search: 'number' },
  bigInteger: { operators: 'ordered', search: 'number' },
  float: { operators: 'ordered', search: 'number' },
  decimal: { operators: 'ordered', search: 'number' },
  boolean: { operators: 'flag', search: null },
  date: { operators: 'ordered', search: null },
  dateTime: { operators: 'ordered', search: null },
  time: { operators: 'ordered', search: null },
  timestamp: { operators: 'any', search: null },
  json: { operators: 'json', search: null },
  hash: { operators: 'concealed', search: null },
  geometry: { operators: 'geometry', search: null },
  'geometry.Point': { operators: 'geometry', search: null },
  'geometry.LineString': { operators: 'geometry', search: null },
  'geometry.Polygon': { operators: 'geometry', search: null },
  'geometry.MultiPoint': { operators: 'geometry', search: null },
  'geometry.MultiLineString': { operators: 'geometry', search: null },
  'geometry.MultiPolygon': { operators: 'geometry', search: null },
  unknown: { operators: 'any', search: null },
  alias: { operators: 'any', search: null },
} as const satisfies Record<string, { operators: OperatorFamily; search: 'text' | 'number' | 'uuid' | null }>

export type FieldType = keyof typeof fieldTypes

export const isFieldType = (name: string): name is FieldType => Object.hasOwn(fieldTypes, name)

const numbers: ReadonlySet<FieldType> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

export const isNumber = (type: FieldType): boolean => numbers.has(type)

import type { OperatorFamily } from './operators.ts'

interface FieldTypeRow {
  readonly operators: OperatorFamily
  /** Whether and how `search` covers the type. */
  readonly search: 'text' | 'number' | 'uuid' | null
  readonly isNumber: boolean
  /** Values have a different form in responses than in the output of the database. */
  readonly isReshaped: boolean
}

/** The service's own types. */
export const fieldTypes = {
  string: { operators: 'text', search: 'text', isNumber: false, isReshaped: false },
  text: { operators: 'text', search: 'text', isNumber: false, isReshaped: false },
  csv: { operators: 'text', search: null, isNumber: false, isReshaped: false },
  binary: { operators: 'key', search: null, isNumber: false, isReshaped: true },
  uuid: { operators: 'key', search: 'uuid', isNumber: false, isReshaped: false },
  integer: { operators: 'ordered', search: 'number', isNumber: true, isReshaped: false },
  bigInteger: { operators: 'ordered', search: 'number', isNumber: true, isReshaped: false },
  float: { operators: 'ordered', search: 'number', isNumber: true, isReshaped: false },
  decimal: { operators: 'ordered', search: 'number', isNumber: true, isReshaped: false },
  boolean: { operators: 'flag', search: null, isNumber: false, isReshaped: true },
  date: { operators: 'ordered', search: null, isNumber: false, isReshaped: false },
  dateTime: { operators: 'ordered', search: null, isNumber: false, isReshaped: true },
  time: { operators: 'ordered', search: null, isNumber: false, isReshaped: true },
  timestamp: { operators: 'any', search: null, isNumber: false, isReshaped: true },
  json: { operators: 'json', search: null, isNumber: false, isReshaped: false },
  hash: { operators: 'concealed', search: null, isNumber: false, isReshaped: false },
  geometry: { operators: 'geometry', search: null, isNumber: false, isReshaped: false },
  'geometry.Point': { operators: 'geometry', search: null, isNumber: false, isReshaped: false },
  'geometry.LineString': { operators: 'geometry', search: null, isNumber: false, isReshaped: false },
  'geometry.Polygon': { operators: 'geometry', search: null, isNumber: false, isReshaped: false },
  'geometry.MultiPoint': { operators: 'geometry', search: null, isNumber: false, isReshaped: false },
  'geometry.MultiLineString': { operators: 'geometry', search: null, isNumber: false, isReshaped: false },
  'geometry.MultiPolygon': { operators: 'geometry', search: null, isNumber: false, isReshaped: false },
  unknown: { operators: 'any', search: null, isNumber: false, isReshaped: false },
  alias: { operators: 'any', search: null, isNumber: false, isReshaped: false },
} as const satisfies Record<string, FieldTypeRow>

export type FieldType = keyof typeof fieldTypes

type GeometryType = Extract<FieldType, `geometry${string}`>

const geometryTypes = Object.keys(fieldTypes).filter((type): type is GeometryType => type.startsWith('geometry'))

/** The same cell for every type of geometry, for tables by field type. */
export const forGeometries = <T>(cell: T): Readonly<Record<GeometryType, T>> =>
  Object.fromEntries(geometryTypes.map((type) => [type, cell])) as Record<GeometryType, T>

export const isFieldType = (name: string): name is FieldType => Object.hasOwn(fieldTypes, name)

export const isNumber = (type: FieldType): boolean => fieldTypes[type].isNumber

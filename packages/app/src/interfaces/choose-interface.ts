import type { Field } from '../model/field.ts'
import { choicesOf } from '../model/kind.ts'
import type { FieldRelation, RelationKind } from '../model/relation.ts'

type Type = Field['type']

interface InterfaceTypes {
  /** The types it edits; null: by the relation alone. */
  readonly types: readonly Type[] | null
  readonly relation?: RelationKind
}

const numbers = ['integer', 'bigInteger', 'float', 'decimal'] as const
const texts = ['string', 'text', 'uuid'] as const
const moments = ['date', 'time', 'dateTime', 'timestamp'] as const
const lists = ['json', 'csv'] as const
const geometries = [
  'geometry',
  'geometry.Point',
  'geometry.LineString',
  'geometry.Polygon',
  'geometry.MultiPoint',
  'geometry.MultiLineString',
  'geometry.MultiPolygon',
] as const

/** The interfaces of the app, by the name that `meta.interface` holds. */
const table = {
  input: { types: [...texts, ...numbers, 'unknown'] },
  'input-multiline': { types: ['string', 'text'] },
  'input-code': { types: ['string', 'text', 'json', ...geometries] },
  'input-hash': { types: ['hash', 'string', 'text'] },
  boolean: { types: ['boolean'] },
  datetime: { types: moments },
  'select-dropdown': { types: [...texts, ...numbers] },
  'select-radio': { types: [...texts, ...numbers] },
  'select-multiple-dropdown': { types: lists },
  'select-multiple-checkbox': { types: lists },
  tags: { types: lists },
  bytes: { types: ['binary'] },
  'select-dropdown-m2o': { types: null, relation: 'm2o' },
  'list-o2m': { types: null, relation: 'o2m' },
  'list-m2m': { types: null, relation: 'm2m' },
  'list-m2a': { types: null, relation: 'm2a' },
  'presentation-divider': { types: ['alias'] },
  'presentation-notice': { types: ['alias'] },
} as const satisfies Readonly<Record<string, InterfaceTypes>>

export type InterfaceName = keyof typeof table

const rows: Readonly<Record<InterfaceName, InterfaceTypes>> = table

export const interfaceNames = Object.keys(table) as readonly InterfaceName[]

/** Other names that the same controls answer to. */
const synonyms: Readonly<Record<string, InterfaceName>> = {
  'input-autocomplete-api': 'input',
  slider: 'input',
  textarea: 'input-multiline',
  'input-rich-text-md': 'input-multiline',
  'input-rich-text-html': 'input-multiline',
  toggle: 'boolean',
  'select-multiple-checkbox-tree': 'select-multiple-checkbox',
  user: 'select-dropdown-m2o',
  'list-o2m-tree-view': 'list-o2m',
  'simple-list': 'tags',
}

const typeDefaults: Readonly<Record<Type, InterfaceName>> = {
  string: 'input',
  text: 'input-multiline',
  uuid: 'input',
  integer: 'input',
  bigInteger: 'input',
  float: 'input',
  decimal: 'input',
  boolean: 'boolean',
  date: 'datetime',
  time: 'datetime',
  dateTime: 'datetime',
  timestamp: 'datetime',
  json: 'input-code',
  csv: 'tags',
  hash: 'input-hash',
  binary: 'bytes',
  geometry: 'input-code',
  'geometry.Point': 'input-code',
  'geometry.LineString': 'input-code',
  'geometry.Polygon': 'input-code',
  'geometry.MultiPoint': 'input-code',
  'geometry.MultiLineString': 'input-code',
  'geometry.MultiPolygon': 'input-code',
  unknown: 'input',
  alias: 'presentation-notice',
}

const relationDefaults: Readonly<Record<RelationKind, InterfaceName>> = {
  m2o: 'select-dropdown-m2o',
  o2m: 'list-o2m',
  m2m: 'list-m2m',
  m2a: 'list-m2a',
}

const secrets: ReadonlySet<string> = new Set(['hash', 'conceal', 'encrypt'])

export interface ChosenInterface {
  readonly name: InterfaceName
  /** Said to administrators when the metadata asks for something else. */
  readonly note: string | null
}

/** The control for a field: the one its metadata names if it fits, else the usual one of its type. */
export function chooseInterface(field: Field, relation: FieldRelation | null): ChosenInterface {
  const asked = field.meta?.interface ?? null
  const fallback = defaultInterface(field, relation)
  if (asked === null || asked === '') return { name: fallback, note: null }
  const name = Object.hasOwn(rows, asked) ? (asked as InterfaceName) : synonyms[asked]
  if (name === undefined)
    return { name: fallback, note: `The interface “${asked}” is not known here; its options are kept.` }
  if (fits(rows[name], field, relation)) return { name, note: null }
  return { name: fallback, note: `The interface “${asked}” does not fit a field of this type.` }
}

function fits({ types, relation: kind }: InterfaceTypes, field: Field, relation: FieldRelation | null): boolean {
  if (kind !== undefined) return relation?.kind === kind
  return types?.includes(field.type) === true && (relation === null || relation.kind === 'm2o')
}

function defaultInterface(field: Field, relation: FieldRelation | null): InterfaceName {
  if (relation !== null) return relationDefaults[relation.kind]
  if ((field.meta?.special ?? []).some((each) => secrets.has(each))) return 'input-hash'
  if (choicesOf(field) !== null)
    return lists.some((type) => type === field.type) ? 'select-multiple-dropdown' : 'select-dropdown'
  if (isListOfTexts(field)) return 'tags'
  if (field.type === 'text' && !isLongText(field)) return 'input'
  return typeDefaults[field.type]
}

/** Many databases use one type for all text: the name tells which of it runs over several lines. */
export const isLongText = ({ field, type }: Field): boolean => type === 'text' && longNames.test(field)

const longNames =
  /note|desc|body|content|text|comment|message|summary|bio|remark|abstract|quote|html|markdown|address$/iu

const isListOfTexts = ({ type, schema }: Field): boolean =>
  type === 'json' && /^(?:text|character varying|varchar|citext)\[\]$/u.test(schema?.data_type ?? '')

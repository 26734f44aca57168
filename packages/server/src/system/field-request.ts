import { fieldMeta, invalidPayload, isFieldType, isSpecial, specials, type Special } from '@tain/contract'
import type {
  Catalogue,
  ColumnDefinition,
  ColumnForm,
  ColumnType,
  SchemaChange,
  StoredValue,
  TableRef,
} from '../schema/change.ts'
import { checkText, readDefault } from './default-value.ts'
import { isBody, refuseUnknown, storedMeta, type Body } from './metadata.ts'
import { checkFieldName } from './names.ts'

/** Field types without a column. */
export const aliasTypes: ReadonlySet<string> = new Set(['alias', 'o2m', 'm2m', 'm2a', 'o2a', 'files', 'translations'])

export const fieldKeys = ['field', 'type', 'meta', 'schema', 'collection'] as const

/** Requested properties of a column beyond its definition. */
export interface ColumnRequest {
  readonly definition: ColumnDefinition
  readonly isKey: boolean
  readonly isUnique: boolean
  readonly isIndexed: boolean
  readonly comment: string | null
}

/** A field as requested. */
export interface FieldRequest {
  readonly name: string
  /** null: an alias. */
  readonly column: ColumnRequest | null
  /** null: no metadata is stored. */
  readonly meta: readonly StoredValue[] | null
}

/** Properties of `schema` that define a column, and those that only describe one. */
const settable = [
  'default_value',
  'max_length',
  'numeric_precision',
  'numeric_scale',
  'is_nullable',
  'is_unique',
  'is_indexed',
  'is_primary_key',
  'has_auto_increment',
  'comment',
] as const
const descriptive = [
  'name',
  'table',
  'schema',
  'data_type',
  'is_generated',
  'generation_expression',
  'foreign_key_schema',
  'foreign_key_table',
  'foreign_key_column',
  'enum_values',
] as const

export const schemaKeys = { settable, descriptive }

/** `schema` as sent; unknown properties are refused. */
export function schemaOf(body: Body): Body {
  const { schema } = body
  if (schema === undefined || schema === null) return {}
  if (!isBody(schema)) throw invalidPayload('"schema" has to be an object')
  refuseUnknown(schema, [...settable, ...descriptive], 'schema')
  return schema
}

export function columnTypeOf(type: unknown): ColumnType {
  if (typeof type !== 'string') throw invalidPayload('"type" is required')
  if (!isFieldType(type) || type === 'alias' || type === 'unknown') throw invalidPayload(`There is no type "${type}"`)
  return type
}

export function readFlag(schema: Body, name: string, otherwise: boolean): boolean {
  const given = schema[name]
  if (given === undefined || given === null) return otherwise
  if (typeof given !== 'boolean') throw invalidPayload(`"schema.${name}" has to be true or false`)
  return given
}

export function readComment(schema: Body): string | null {
  const { comment } = schema
  if (comment === undefined || comment === null || comment === '') return null
  if (typeof comment !== 'string') throw invalidPayload('"schema.comment" has to be text')
  checkText(comment, 'schema.comment')
  return comment
}

function readNumber(schema: Body, name: string, least: number, most: number): number | null {
  const given = schema[name]
  if (given === undefined || given === null || given === '') return null
  const number = typeof given === 'string' && /^\d{1,9}$/u.test(given) ? Number(given) : given
  if (typeof number !== 'number' || !Number.isInteger(number) || number < least || number > most)
    throw invalidPayload(`"schema.${name}" has to be a whole number from ${least} to ${most}`)
  return number
}

const LONGEST_TEXT = 10_485_760
const MOST_DIGITS = 1000

type Limits = Omit<ColumnForm, 'type'>

const usual: Limits = { maxLength: 255, precision: 10, scale: 5 }

/** Type and limits; limits that do not apply to the type are ignored. */
export function readForm(type: ColumnType, schema: Body, otherwise: Limits = usual): ColumnForm {
  if (type === 'string' || type === 'hash') {
    const maxLength = readNumber(schema, 'max_length', 1, LONGEST_TEXT) ?? otherwise.maxLength
    return { type, maxLength, precision: null, scale: null }
  }
  if (type !== 'decimal') return { type, maxLength: null, precision: null, scale: null }
  const precision = readNumber(schema, 'numeric_precision', 1, MOST_DIGITS) ?? otherwise.precision
  const most = precision ?? MOST_DIGITS
  const scale =
    readNumber(schema, 'numeric_scale', 0, most) ?? (otherwise.scale === null ? null : Math.min(otherwise.scale, most))
  return { type, maxLength: null, precision, scale }
}

const counting: ReadonlySet<ColumnType> = new Set(['integer', 'bigInteger'])

function readColumn(name: string, type: ColumnType, schema: Body): ColumnRequest {
  if (schema['is_generated'] === true || (schema['generation_expression'] ?? null) !== null || 'enum_values' in schema)
    throw invalidPayload('Generated columns and columns of listed values can only be made in the database itself')
  const isCounter = readFlag(schema, 'has_auto_increment', false)
  if (isCounter && !counting.has(type))
    throw invalidPayload('Only fields of the types integer and bigInteger can count up by themselves')
  const isKey = readFlag(schema, 'is_primary_key', false)
  const form = readForm(type, schema)
  return {
    definition: {
      name,
      form,
      isNullable: readFlag(schema, 'is_nullable', true) && !isKey && !isCounter,
      default: isCounter ? null : readDefault(schema['default_value'], form),
      isCounter,
    },
    isKey,
    // A primary key is already unique and indexed, a unique constraint has an index.
    isUnique: readFlag(schema, 'is_unique', false) && !isKey,
    isIndexed: readFlag(schema, 'is_indexed', false) && !isKey && !readFlag(schema, 'is_unique', false),
    comment: readComment(schema),
  }
}

/** Flags for types that the database does not distinguish. */
const flags: Partial<Readonly<Record<ColumnType, Special>>> = { json: 'cast-json', csv: 'cast-csv', hash: 'hash' }

/** The flags of a field, with those that its type needs and without those that would change its type. */
export function specialFor(type: ColumnType, special: string | null): string | null {
  const given = (special ?? '').split(',').filter((flag) => flag !== '')
  const kept = given.filter((flag) => {
    const other = isSpecial(flag) ? specials[flag].type : undefined
    return other === undefined || other === type
  })
  const needed = flags[type]
  const all = needed === undefined || kept.includes(needed) ? kept : [...kept, needed]
  return all.length === 0 ? null : all.join(',')
}

function metaFor(body: Body, name: string, collection: string, type: ColumnType | null): readonly StoredValue[] | null {
  const { meta } = body
  const values = storedMeta(meta, fieldMeta, { collection, field: name })
  if (type === null) return values
  const sent = values.find(({ column }) => column === 'special')?.value ?? null
  const special = sent === null ? specialFor(type, null) : withNeeded(type, sent)
  if (special === null) return isBody(meta) ? values : null
  return [...values.filter(({ column }) => column !== 'special'), { column: 'special', kind: 'text', value: special }]
}

/** Requested flags stay even if they change the type of the field: that is their purpose. */
function withNeeded(type: ColumnType, sent: string): string {
  const needed = flags[type]
  return needed === undefined || sent.split(',').includes(needed) ? sent : `${sent},${needed}`
}

export function readField(body: unknown, collection: string, catalogue: Catalogue): FieldRequest {
  if (!isBody(body)) throw invalidPayload('The field has to be an object')
  refuseUnknown(body, fieldKeys, 'a field')
  const { field, type } = body
  checkFieldName(field, catalogue)
  if (body['collection'] !== undefined && body['collection'] !== collection)
    throw invalidPayload('"collection" is not the one in the address')
  if (typeof type === 'string' && aliasTypes.has(type))
    return { name: field, column: null, meta: metaFor(body, field, collection, null) }
  const columnType = columnTypeOf(type)
  const column = readColumn(field, columnType, schemaOf(body))
  return { name: field, column, meta: metaFor(body, field, collection, columnType) }
}

/** Schema changes that follow once the column exists. */
export async function extrasOf(
  { definition, isUnique, isIndexed, comment }: ColumnRequest,
  table: TableRef,
  catalogue: Catalogue,
): Promise<SchemaChange[]> {
  const { name: column } = definition
  const changes: SchemaChange[] = []
  if (comment !== null) changes.push({ kind: 'comment-column', table, column, comment })
  if (isUnique)
    changes.push({ kind: 'add-unique', table, column, name: await catalogue.freeName(table, column, 'unique') })
  if (isIndexed)
    changes.push({ kind: 'add-index', table, column, name: await catalogue.freeName(table, column, 'index') })
  return changes
}

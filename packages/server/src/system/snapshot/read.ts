import {
  collectionMeta,
  fieldMeta,
  invalidPayload,
  isFieldType,
  relationMeta,
  type MetaColumn,
  type SnapshotCollection,
  type SnapshotColumn,
  type SnapshotField,
  type SnapshotForeignKey,
  type SnapshotRelation,
  type SnapshotSections,
} from '@tain/contract'
import type { Catalogue, DescribedType, NativeType } from '../../schema/change.ts'
import { castType, specialsOf } from '../../schema/mirror.ts'
import { checkText } from '../default-value.ts'
import { systemCollections } from '../collections/index.ts'
import { aliasTypes, columnTypeOf, readForm } from '../field-request.ts'
import { isBody, refuseUnknown, storedMeta, type Body } from '../metadata.ts'
import { normalDefault } from './column-default.ts'
import type { Raw } from './patch.ts'
import { inOrder, nameIn, type Item } from './sections.ts'

interface Reading {
  readonly catalogue: Catalogue
  /** The file comes from another database vendor, whose native type names have no meaning here. */
  readonly isForeign: boolean
  /** The sections were described here and then patched: types follow the columns and are not checked against them. */
  readonly isPatched: boolean
}

function textIn(body: Body, key: string, what: string): string {
  const { [key]: value } = body
  if (typeof value !== 'string' || value === '') throw invalidPayload(`"${key}" of ${what} has to be a name`)
  checkText(value, key)
  return value
}

/** Names come from databases that already accept them, so only their length is checked. */
export function checkFits(name: string, { nameLength }: Catalogue): void {
  if (Buffer.byteLength(name) > nameLength)
    throw invalidPayload(`The name "${name}" is longer than the ${nameLength} bytes that the database allows`)
}

function optionalText(body: Body, key: string, what: string): string | null {
  const { [key]: value = null } = body
  if (value === null || value === '') return null
  if (typeof value !== 'string') throw invalidPayload(`"${key}" of ${what} has to be text`)
  checkText(value, key)
  return value
}

function namesIn(value: unknown, key: string, what: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    throw invalidPayload(`"${key}" of ${what} has to be a list of names`)
  return value
}

function flagIn(body: Body, key: string, otherwise: boolean, what: string): boolean {
  const { [key]: value = otherwise } = body
  if (value === null) return otherwise
  if (typeof value !== 'boolean') throw invalidPayload(`"${key}" of ${what} has to be true or false`)
  return value
}

function limitIn(body: Body, key: string, what: string): number | null {
  const { [key]: value = null } = body
  if (value === null) return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || Math.abs(value) > 10_485_760)
    throw invalidPayload(`"${key}" of ${what} has to be a whole number`)
  return value
}

/** `meta` with all its properties, in the stored form. */
function metaIn(
  body: Body,
  table: Readonly<Record<string, MetaColumn>>,
  names: Readonly<Record<string, string | null>>,
  what: string,
): Body | null {
  const { meta = null } = body
  if (meta === null) return null
  if (!isBody(meta)) throw invalidPayload(`"meta" of ${what} has to be an object`)
  storedMeta(meta, table, names)
  const held = Object.entries(table).map(([key, row]) => [key, spelled(row, meta[key]) ?? row.default ?? null] as const)
  return { ...names, ...Object.fromEntries(held.map(([key, value]) => [key, meta[key] === null ? null : value])) }
}

function spelled({ kind }: MetaColumn, value: unknown): unknown {
  if (value === undefined || value === null) return undefined
  if (kind === 'text' && Array.isArray(value)) return value.join(',')
  if (kind !== 'json-text') return value
  if (typeof value !== 'string') return JSON.stringify(value)
  try {
    return JSON.stringify(JSON.parse(value))
  } catch {
    return JSON.stringify(value)
  }
}

const tableKinds = ['table', 'partitioned', 'view', 'materialized-view', 'foreign']

function readCollection(item: Item, { catalogue }: Reading): SnapshotCollection {
  const collection = textIn(item, 'collection', 'a collection')
  const what = `collection "${collection}"`
  refuseUnknown(item, ['collection', 'schema', 'meta', 'fields'], what)
  const meta = metaIn(item, collectionMeta, { collection }, what)
  const { schema = null } = item
  if (schema === null)
    return { collection, schema: null, meta: meta ?? metaIn({ meta: {} }, collectionMeta, { collection }, what) }
  if (!isBody(schema)) throw invalidPayload(`"schema" of ${what} has to be an object or null`)
  refuseUnknown(
    schema,
    ['name', 'schema', 'kind', 'comment', 'primary_key', 'is_read_only', 'collation', 'engine', 'owner', 'sql'],
    `"schema" of ${what}`,
  )
  const name = optionalText(schema, 'name', what) ?? collection
  const place = name === collection ? null : optionalText(schema, 'schema', what)
  if (collection !== (place === null ? name : `${place}.${name}`))
    throw invalidPayload(`"schema" of ${what} names another table; collections are called like their tables`)
  checkFits(name, catalogue)
  const kind = optionalText(schema, 'kind', what) ?? 'table'
  if (!tableKinds.includes(kind)) throw invalidPayload(`"kind" of ${what} has to be one of ${tableKinds.join(', ')}`)
  const key = schema['primary_key'] === undefined ? [] : namesIn(schema['primary_key'], 'primary_key', what)
  return {
    collection,
    schema: { name, schema: place, kind, comment: optionalText(schema, 'comment', what), primary_key: key },
    meta,
  }
}

const columnKeys = [
  'data_type',
  'default_value',
  'default_expression',
  'max_length',
  'numeric_precision',
  'numeric_scale',
  'is_generated',
  'generation_expression',
  'is_nullable',
  'is_unique',
  'is_indexed',
  'is_primary_key',
  'has_auto_increment',
  'comment',
  'enum_values',
]
/** Properties that other writers add and that other parts of the file already contain. */
const repeated = ['name', 'table', 'schema', 'foreign_key_schema', 'foreign_key_table', 'foreign_key_column']

interface Typed {
  readonly described: DescribedType
  readonly native: NativeType | null
}

function typeIn(schema: Body, type: unknown, what: string, { catalogue, isForeign }: Reading): Typed {
  const dataType = isForeign ? null : optionalText(schema, 'data_type', what)
  const given: DescribedType = {
    dataType: dataType ?? '',
    maxLength: limitIn(schema, 'max_length', what),
    precision: limitIn(schema, 'numeric_precision', what),
    scale: limitIn(schema, 'numeric_scale', what),
  }
  if (dataType === null) {
    const described = catalogue.described(readForm(columnTypeOf(type), schema))
    return { described, native: catalogue.nativeType(described.dataType) }
  }
  const native = (schema['enum_values'] ?? null) === null ? catalogue.nativeType(dataType) : null
  const isLong = native?.limit === 'length'
  const isDecimal = native?.limit === 'digits'
  return {
    described: {
      dataType,
      maxLength: native === null || isLong ? given.maxLength : null,
      precision: isDecimal ? given.precision : null,
      scale: isDecimal ? (given.scale ?? (given.precision === null ? null : 0)) : null,
    },
    native,
  }
}

function columnIn(schema: Body, { described, native }: Typed, what: string): SnapshotColumn {
  const { enum_values: labels = null } = schema
  const expression = optionalText(schema, 'default_expression', what)
  const generation = optionalText(schema, 'generation_expression', what)
  const isCounter = flagIn(schema, 'has_auto_increment', false, what)
  const value =
    isCounter || expression !== null ? null : normalDefault(schema['default_value'], native?.values ?? 'text')
  if (typeof value === 'string') checkText(value, 'default_value')
  return {
    data_type: described.dataType,
    default_value: value,
    ...(expression === null || isCounter ? {} : { default_expression: expression }),
    max_length: described.maxLength,
    numeric_precision: described.precision,
    numeric_scale: described.scale,
    is_generated: generation !== null,
    generation_expression: generation,
    is_nullable: flagIn(schema, 'is_nullable', !isCounter, what),
    is_unique: flagIn(schema, 'is_unique', false, what),
    is_indexed: flagIn(schema, 'is_indexed', false, what),
    is_primary_key: flagIn(schema, 'is_primary_key', false, what),
    has_auto_increment: isCounter,
    comment: optionalText(schema, 'comment', what),
    ...(labels === null ? {} : { enum_values: namesIn(labels, 'enum_values', what) }),
  }
}

function readField(item: Item, reading: Reading): SnapshotField {
  const collection = textIn(item, 'collection', 'a field')
  const field = textIn(item, 'field', `a field of "${collection}"`)
  const what = `field "${field}" of "${collection}"`
  refuseUnknown(item, ['collection', 'field', 'type', 'schema', 'meta'], what)
  const meta = metaIn(item, fieldMeta, { collection, field }, what)
  const { type, schema } = item
  if (typeof type === 'string' && aliasTypes.has(type)) {
    if (meta === null) throw invalidPayload(`The ${what} has neither a column nor "meta"`)
    return { collection, field, type: 'alias', meta }
  }
  checkFits(field, reading.catalogue)
  if (reading.catalogue.reservedColumns.has(field))
    throw invalidPayload(`The database keeps the name "${field}" for itself`)
  if (schema !== undefined && schema !== null && !isBody(schema))
    throw invalidPayload(`"schema" of ${what} has to be an object`)
  const column = isBody(schema) ? schema : {}
  refuseUnknown(column, [...columnKeys, ...repeated], `"schema" of ${what}`)
  const typed = typeIn(column, type, what, reading)
  return {
    collection,
    field,
    type: typeAfter(type, typed, meta, reading.isPatched, what),
    schema: columnIn(column, typed, what),
    meta,
  }
}

/** The type of a field follows from its column and its flags; a contradicting type is an error in the file. */
function typeAfter(given: unknown, { native, described }: Typed, meta: Body | null, isPatched: boolean, what: string) {
  const special = meta?.['special']
  const cast = castType(specialsOf({ special: typeof special === 'string' ? special : null }))
  const type: unknown = cast ?? native?.fieldType ?? given
  if (typeof type !== 'string' || !isFieldType(type)) throw invalidPayload(`"type" of ${what} is not known`)
  const isOther = (given ?? type) !== type && native !== null && cast === undefined
  if (isOther && !isPatched)
    throw invalidPayload(
      `"type" of ${what} is ${JSON.stringify(given)}, and a column of ${described.dataType} is "${type}": change "schema.data_type" too, leave it out, or set the flag in "meta.special"`,
    )
  return type
}

const actions: readonly string[] = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT']

function actionIn(schema: Body, key: string, what: string): string {
  const text = (optionalText(schema, key, what) ?? 'NO ACTION').toUpperCase()
  if (!actions.includes(text)) throw invalidPayload(`"${key}" of ${what} has to be one of ${actions.join(', ')}`)
  return text
}

function readRelation(item: Item, keyOf: (collection: string) => readonly string[]): SnapshotRelation {
  const collection = textIn(item, 'collection', 'a relation')
  const field = textIn(item, 'field', `a relation of "${collection}"`)
  const what = `the relation "${field}" of "${collection}"`
  refuseUnknown(item, ['collection', 'field', 'related_collection', 'schema', 'meta'], what)
  const related = optionalText(item, 'related_collection', what)
  const { schema = null } = item
  const { one_collection: one = related } = isBody(item['meta']) ? item['meta'] : {}
  const names = { many_collection: collection, many_field: field, one_collection: one === null ? null : related }
  const meta = metaIn(item, relationMeta, names, what)
  if (schema === null || related === null) return { collection, field, related_collection: related, schema: null, meta }
  if (!isBody(schema)) throw invalidPayload(`"schema" of ${what} has to be an object or null`)
  refuseUnknown(schema, foreignKeyKeys, `"schema" of ${what}`)
  return {
    collection,
    field,
    related_collection: related,
    schema: foreignKeyIn(schema, field, keyOf(related), what),
    meta,
  }
}

const foreignKeyKeys = [
  'columns',
  'foreign_key_columns',
  'on_update',
  'on_delete',
  'table',
  'column',
  'constraint_name',
  'foreign_key_schema',
  'foreign_key_table',
  'foreign_key_column',
]

function foreignKeyIn(schema: Body, field: string, key: readonly string[], what: string): SnapshotForeignKey {
  const column = optionalText(schema, 'column', what) ?? field
  const columns = schema['columns'] === undefined ? [column] : namesIn(schema['columns'], 'columns', what)
  const toColumn = optionalText(schema, 'foreign_key_column', what)
  const toColumns =
    schema['foreign_key_columns'] === undefined
      ? toColumn === null
        ? key
        : [toColumn]
      : namesIn(schema['foreign_key_columns'], 'foreign_key_columns', what)
  if (columns.length === 0 || columns.length !== toColumns.length)
    throw invalidPayload(`${what} has ${columns.length} columns on one side and ${toColumns.length} on the other`)
  return {
    columns,
    foreign_key_columns: toColumns,
    on_update: actionIn(schema, 'on_update', what),
    on_delete: actionIn(schema, 'on_delete', what),
  }
}

function listIn<T>(raw: Raw, section: keyof Raw, read: (item: Item) => T): readonly T[] {
  const { [section]: list = [] } = raw
  if (!Array.isArray(list)) throw invalidPayload(`"${section}" has to be a list`)
  const seen = new Set<string>()
  return list.map((item: unknown) => {
    if (!isBody(item)) throw invalidPayload(`"${section}" has to be a list of objects`)
    const made = read(item)
    const name = nameIn(section, made as Item)
    if (seen.size === seen.add(name).size) throw invalidPayload(`"${section}" names ${name} twice`)
    return made
  })
}

/**
 * Primary keys are listed in the collection, in column order; if the list is missing, `is_primary_key` of its fields
 * counts.
 */
function withKeys(
  collections: readonly SnapshotCollection[],
  fields: readonly SnapshotField[],
  hasKey: (collection: string) => boolean,
): Pick<SnapshotSections, 'collections' | 'fields'> {
  const marked = Map.groupBy(
    fields.filter(({ schema }) => schema?.is_primary_key === true),
    ({ collection }) => collection,
  )
  const keys = new Map(
    collections.map(({ collection, schema }) => [
      collection,
      schema === null || hasKey(collection)
        ? (schema?.primary_key ?? [])
        : (marked.get(collection) ?? []).map(({ field }) => field),
    ]),
  )
  for (const [collection, key] of keys)
    for (const name of key)
      if (
        !fields.some((field) => field.collection === collection && field.field === name && field.schema !== undefined)
      )
        throw invalidPayload(`The primary key of "${collection}" has no field "${name}"`)
  return {
    collections: collections.map((each) =>
      each.schema === null
        ? each
        : { ...each, schema: { ...each.schema, primary_key: keys.get(each.collection) ?? [] } },
    ),
    fields: fields.map((each) => withKey(each, keys.get(each.collection) ?? [])),
  }
}

function withKey(field: SnapshotField, key: readonly string[]): SnapshotField {
  if (field.schema === undefined) return field
  if (!key.includes(field.field)) return { ...field, schema: { ...field.schema, is_primary_key: false } }
  const isUnique = field.schema.is_unique || key.length === 1
  return { ...field, schema: { ...field.schema, is_primary_key: true, is_unique: isUnique, is_nullable: false } }
}

/** Schema sections of a file → complete, checked and in a fixed order. */
export function readDatabaseSchema(raw: Raw, reading: Reading): SnapshotSections {
  const named = listIn(raw, 'collections', (item) => readCollection(item, reading))
  const withOwnKey = new Set(
    (raw.collections ?? []).flatMap(({ collection, schema }) =>
      isBody(schema) && schema['primary_key'] !== undefined ? [collection] : [],
    ),
  )
  const { collections, fields } = withKeys(
    named,
    listIn(raw, 'fields', (item) => readField(item, reading)),
    (name) => withOwnKey.has(name),
  )
  const keys = new Map([
    ...systemCollections.map(({ name, key }) => [name, [key]] as const),
    ...collections.map(({ collection, schema }) => [collection, schema?.primary_key ?? []] as const),
  ])
  const relations = listIn(raw, 'relations', (item) => readRelation(item, (name) => keys.get(name) ?? []))
  return {
    collections: inOrder('collections', collections),
    fields: inOrder('fields', fields),
    systemFields: [],
    relations: inOrder('relations', relations),
  }
}

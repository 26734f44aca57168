import { fieldMeta, invalidPayload, isNumber, ServiceError } from '@tain/contract'
import type {
  Catalogue,
  Change,
  ColumnDefault,
  ColumnForm,
  ColumnType,
  SchemaChange,
  StoredValue,
  TableRef,
} from '../schema/change.ts'
import { defaultValue, describeField } from '../schema/describe.ts'
import type { AliasField, Collection, ColumnField } from '../schema/schema.ts'
import { readDefault } from './default-value.ts'
import {
  aliasTypes,
  columnTypeOf,
  fieldKeys,
  readComment,
  readFlag,
  readForm,
  schemaKeys,
  schemaOf,
  specialFor,
} from './field-request.ts'
import { isBody, named, refuseUnknown, storedMeta, type Body } from './metadata.ts'

export const fieldKey = (collection: string, field: string) => [named('collection', collection), named('field', field)]

/** Plans the update of a field: only properties that were sent and differ from the current ones. */
export async function planUpdate(
  body: Body,
  field: ColumnField | AliasField,
  collection: Collection,
  catalogue: Catalogue,
): Promise<Change> {
  refuseUnknown(body, fieldKeys, 'a field')
  const values = storedMeta(body['meta'], fieldMeta, { collection: collection.name, field: field.name })
  const stores = (all: readonly StoredValue[]): Change['metadata'] => [
    { kind: 'put', table: 'service_fields', keys: fieldKey(collection.name, field.name), values: all },
  ]
  if (field.kind === 'alias') {
    checkStaysAlias(body)
    return { ddl: [], metadata: isBody(body['meta']) ? stores(values) : [], gone: null }
  }
  const special = specialChange(body, field, values)
  const all = special === null ? values : [...values.filter(({ column }) => column !== 'special'), special]
  return {
    ddl: await columnChanges(body, field, collection, catalogue),
    metadata: isBody(body['meta']) || special !== null ? stores(all) : [],
    gone: null,
  }
}

function checkStaysAlias({ type, schema }: Body): void {
  const isAlias = type === undefined || type === null || (typeof type === 'string' && aliasTypes.has(type))
  if (!isAlias || isBody(schema)) throw invalidPayload('An alias field cannot be turned into a column')
}

/** A new type may need a new flag, and an old flag must not override it. */
function specialChange({ type }: Body, field: ColumnField, values: readonly StoredValue[]): StoredValue | null {
  if (type === undefined || type === null || type === field.type || (typeof type === 'string' && aliasTypes.has(type)))
    return null
  const sent = values.find(({ column }) => column === 'special')
  const before = sent === undefined ? (field.meta?.special ?? null) : sent.value
  const after = specialFor(columnTypeOf(type), before)
  return after === before ? null : { column: 'special', kind: 'text', value: after }
}

async function columnChanges(
  body: Body,
  field: ColumnField,
  collection: Collection,
  catalogue: Catalogue,
): Promise<SchemaChange[]> {
  const { type } = body
  if (typeof type === 'string' && aliasTypes.has(type))
    throw invalidPayload('A column cannot be turned into an alias field')
  const wanted = type === undefined || type === null ? null : columnTypeOf(type)
  const schema = schemaOf(body)
  const sent = changedProperties(schema, field, collection)
  const isRetyped = wanted !== null && wanted !== field.type
  if (!isRetyped && Object.keys(sent).length === 0) return []
  checkTable(collection)
  const table: TableRef = { schema: collection.schema, table: collection.table }
  const form = formAfter(wanted, sent, field)
  const changes: SchemaChange[] = []
  if (isRetyped || form.isLimited) changes.push(typeChange(table, field, form, sent))
  else if ('default_value' in sent) changes.push(defaultChange(table, field, form, sent))
  changes.push(...(await nullability(sent, field, collection, table, catalogue)))
  if ('is_unique' in sent || 'is_indexed' in sent)
    changes.push(...(await indexChanges(schema, field, collection, table, catalogue)))
  if ('comment' in sent) changes.push({ kind: 'comment-column', table, column: field.name, comment: readComment(sent) })
  return changes
}

export function checkTable({ kind, name }: Collection): void {
  if (kind !== 'table' && kind !== 'partitioned')
    throw new ServiceError('UNPROCESSABLE_CONTENT', `"${name}" is no table of the database; it cannot be changed here.`)
}

/** Properties that were sent and differ. A client may send back everything that it has read. */
function changedProperties(schema: Body, field: ColumnField, collection: Collection): Body {
  const current: Readonly<Record<string, unknown>> = { ...describeField(field, collection).schema }
  const changed = Object.entries(schema).filter(([key, value]) => {
    const isSame = JSON.stringify(value ?? null) === JSON.stringify(current[key] ?? null)
    return value !== undefined && !isSame
  })
  for (const [key] of changed) {
    const isFixed = key === 'is_primary_key' || key === 'has_auto_increment'
    if (isFixed || schemaKeys.descriptive.some((name) => name === key))
      throw invalidPayload(`"schema.${key}" cannot be changed`)
  }
  return Object.fromEntries(changed)
}

interface FormAfter extends ColumnForm {
  /** The limits change. */
  readonly isLimited: boolean
}

function formAfter(wanted: ColumnType | null, sent: Body, field: ColumnField): FormAfter {
  const { column, type } = field
  const current = type === 'unknown' || type === 'alias' ? 'text' : type
  const target = wanted ?? current
  if (target !== type) return { ...readForm(target, sent), isLimited: false }
  const { maxLength, numericPrecision: precision, numericScale: scale } = column
  const form = readForm(target, sent, { maxLength, precision, scale })
  const isLimited = target === 'decimal' ? 'numeric_precision' in sent || 'numeric_scale' in sent : 'max_length' in sent
  const hasLimits = target === 'decimal' || target === 'string' || target === 'hash'
  if (isLimited && hasLimits && (column.enumValues !== null || column.elementType !== null))
    throw invalidPayload('The values of this field are listed or of another shape; it has no length')
  return { ...form, isLimited: isLimited && hasLimits }
}

/** The default is converted to the new type; an expression is left to the database. */
function typeChange(table: TableRef, field: ColumnField, to: FormAfter, sent: Body): SchemaChange {
  const { name, column } = field
  const { isLimited: _, ...form } = to
  if (column.generationExpression !== null) throw generated(name)
  return { kind: 'set-type', table, column: name, from: column, to: form, default: defaultAfter(field, form, sent) }
}

function defaultAfter(field: ColumnField, form: ColumnForm, sent: Body): ColumnDefault | null | 'kept' {
  const { column } = field
  if ('default_value' in sent) {
    if (column.identity !== null) throw generated(field.name)
    return readDefault(sent['default_value'], form)
  }
  if (column.identity !== null || column.defaultExpression === null) return 'kept'
  const isValue = /^(-?[\d.]+|true|false|'(?:[^']|'')*'(::[\w\s"[\](),.]+)?)$/u.test(column.defaultExpression)
  if (!isValue) return 'kept'
  const value = convertedDefault(defaultValue(field), form)
  try {
    return readDefault(typeof value === 'object' ? JSON.stringify(value) : value, form)
  } catch (error) {
    if (error instanceof ServiceError)
      throw invalidPayload('The default does not fit the new type; send "schema.default_value" along')
    throw error
  }
}

/** As the database converts the stored values. */
const convertedDefault = (value: unknown, { type }: ColumnForm): unknown =>
  typeof value === 'boolean' && isNumber(type) ? Number(value) : value

function defaultChange(table: TableRef, field: ColumnField, to: FormAfter, sent: Body): SchemaChange {
  const { name, column, type } = field
  const { isLimited: _, ...form } = to
  if (column.identity !== null || column.generationExpression !== null) throw generated(name)
  if (type === 'unknown') throw invalidPayload(`The type of "${name}" is not known, so it can have no default`)
  const value = readDefault(sent['default_value'], form)
  return { kind: 'set-default', table, column: name, form, default: value }
}

const generated = (name: string) =>
  new ServiceError('UNPROCESSABLE_CONTENT', `The database makes the values of "${name}" by itself.`)

async function nullability(
  sent: Body,
  field: ColumnField,
  collection: Collection,
  table: TableRef,
  catalogue: Catalogue,
): Promise<SchemaChange[]> {
  if (!('is_nullable' in sent)) return []
  const { name } = field
  if (!readFlag(sent, 'is_nullable', true))
    return [{ kind: 'set-not-null', table, column: name, name: await catalogue.freeName(table, name, 'not_null') }]
  if (collection.key.includes(field)) throw invalidPayload('A primary key cannot be null')
  return [{ kind: 'drop-not-null', table, column: name }]
}

/** Adds or drops a unique constraint and an index of one column; those over several columns are left alone. */
async function indexChanges(
  sent: Body,
  { name }: ColumnField,
  { uniques, indexed }: Collection,
  table: TableRef,
  catalogue: Catalogue,
): Promise<SchemaChange[]> {
  const wasUnique = uniques.some((columns) => columns.length === 1 && columns[0] === name)
  const isUnique = readFlag(sent, 'is_unique', wasUnique)
  const changes: SchemaChange[] = []
  if (isUnique && !wasUnique)
    changes.push({ kind: 'add-unique', table, column: name, name: await catalogue.freeName(table, name, 'unique') })
  if (!isUnique && wasUnique) changes.push(...(await dropsOf(name, true, table, catalogue)))
  if (!('is_indexed' in sent)) return changes
  const hasIndex = indexed.includes(name)
  const isCovered = isUnique || uniques.some(([first, ...others]) => first === name && others.length > 0)
  const isIndexed = readFlag(sent, 'is_indexed', false)
  if (isIndexed && !hasIndex && !isCovered)
    changes.push({ kind: 'add-index', table, column: name, name: await catalogue.freeName(table, name, 'index') })
  if (!isIndexed && hasIndex) changes.push(...(await dropsOf(name, false, table, catalogue)))
  if (!isIndexed && !hasIndex && isCovered)
    throw new ServiceError(
      'UNPROCESSABLE_CONTENT',
      `"${name}" has no index of its own. The index of its key or unique constraint goes with that alone.`,
    )
  return changes
}

/** Drops the unique constraints or the indexes over this column alone. */
async function dropsOf(
  name: string,
  isUnique: boolean,
  table: TableRef,
  catalogue: Catalogue,
): Promise<SchemaChange[]> {
  const indexes = await catalogue.indexes(table)
  const own = indexes.filter(
    (index) => index.isUnique === isUnique && index.columns.length === 1 && index.columns[0] === name,
  )
  if (own.length === 0 || own.some(({ isPrimary }) => isPrimary))
    throw new ServiceError(
      'UNPROCESSABLE_CONTENT',
      `"${name}" is part of a key or of an index over several columns, which is not dropped for one of them.`,
    )
  return own.map((index) => ({ kind: index.isConstraint ? 'drop-constraint' : 'drop-index', table, name: index.name }))
}

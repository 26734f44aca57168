import {
  fieldMeta,
  forbidden,
  invalidPayload,
  relationMeta,
  ServiceError,
  type RelationMeta,
  type RelationObject,
} from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import {
  nothing,
  type Catalogue,
  type MetadataChange,
  type ReferentialAction,
  type SchemaChange,
  type StoredValue,
} from '../schema/change.ts'
import { describeRelation } from '../schema/describe.ts'
import type { Collection, ColumnField, DeclaredRelation, Schema } from '../schema/schema.ts'
import { checkTable, fieldKey } from './field-update.ts'
import { changeableCollection, readableCollection } from './fields.ts'
import { inferredMeta, inferredThrough, readsField } from './inferred.ts'
import { isBody, named, refuseUnknown, storedMeta, type Body, type SchemaCall } from './metadata.ts'

/**
 * A relation shows both of its sides, so the caller must be able to read both collections and the field where it
 * starts.
 */
function isReadable({ collection, field, relatedCollection }: DeclaredRelation, actor: Actor, schema: Schema): boolean {
  const sides = [collection, ...(relatedCollection === null ? [] : [relatedCollection])].map((name) =>
    schema.collections.get(name),
  )
  return (
    sides.every((side) => side !== undefined && actor.may('read', side)) &&
    readsField(actor, schema.collections.get(collection), field)
  )
}

/** Hides names that the caller may not read, on both sides. Fields inferred from the foreign key are included. */
function shown(relation: DeclaredRelation, actor: Actor, schema: Schema): RelationObject[] {
  const { meta, ...rest } = describeRelation(relation, schema)
  const through = inferredThrough(relation, actor, schema).map((each) => ({ ...rest, meta: each }))
  return [{ ...rest, meta: shownMeta(relation, meta, actor, schema) }, ...through]
}

function shownMeta(
  relation: DeclaredRelation,
  meta: RelationMeta | null,
  actor: Actor,
  schema: Schema,
): RelationMeta | null {
  if (meta === null) return inferredMeta(relation, actor, schema)
  const { relatedCollection } = relation
  const isClosed =
    relatedCollection !== null &&
    meta.one_field &&
    !readsField(actor, schema.collections.get(relatedCollection), meta.one_field)
  const isOpen = (name: string) => {
    const collection = schema.collections.get(name)
    return collection !== undefined && actor.may('read', collection)
  }
  const allowed = actor.isAdmin ? meta.one_allowed_collections : (meta.one_allowed_collections?.filter(isOpen) ?? null)
  const own = (name: string | null) =>
    name !== null && readsField(actor, schema.collections.get(relation.collection), name) ? name : null
  const inferred = meta.one_field || meta.system === true ? null : inferredMeta(relation, actor, schema)
  return {
    ...meta,
    one_allowed_collections: allowed,
    one_field: isClosed ? null : (inferred?.one_field ?? meta.one_field),
    sort_field: own(meta.sort_field),
    junction_field: own(meta.junction_field),
    one_collection_field: own(meta.one_collection_field),
  }
}

export const listRelations = (actor: Actor, schema: Schema): RelationObject[] =>
  schema.relations
    .filter((relation) => isReadable(relation, actor, schema))
    .flatMap((relation) => shown(relation, actor, schema))

export function relationsOf(name: string, actor: Actor, schema: Schema): RelationObject[] {
  readableCollection(name, actor, schema)
  return listRelations(actor, schema).filter(({ collection }) => collection === name)
}

export function readRelation(collection: string, field: string, actor: Actor, schema: Schema): RelationObject {
  const found = listRelations(actor, schema).find(
    (relation) => relation.collection === collection && relation.field === field,
  )
  if (found === undefined) throw forbidden()
  return found
}

const keyOf = (collection: string, field: string) => [named('many_collection', collection), named('many_field', field)]

const bodyKeys = ['collection', 'field', 'related_collection', 'schema', 'meta']

export const createRelation = (body: unknown, actor: Actor): SchemaCall => {
  const { collection, field, related_collection: related = null } = isBody(body) ? body : {}
  return {
    async planner(schema, catalogue) {
      if (!isBody(body)) throw invalidPayload('The relation has to be an object')
      refuseUnknown(body, bodyKeys, 'a relation')
      if (typeof collection !== 'string' || typeof field !== 'string')
        throw invalidPayload('"collection" and "field" are required')
      if (related !== null && typeof related !== 'string')
        throw invalidPayload('"related_collection" has to be the name of a collection')
      const { many, column } = manySide(collection, field, actor, schema)
      const one = related === null ? null : schema.collections.get(related)
      if (one === undefined) throw invalidPayload(`There is no collection "${related}"`)
      return {
        ...nothing,
        ddl: one === null ? noKeyTo(body['schema']) : await foreignKeyTo(one, many, column, body['schema'], catalogue),
        metadata: [storeRelation(collection, field, related, body['meta']), ...declareOne(one, body['meta'])],
      }
    },
    answer: (schema) => readRelation(String(collection), String(field), actor, schema),
  }
}

function manySide(collection: string, field: string, actor: Actor, schema: Schema): ManySide {
  if (!schema.collections.has(collection)) throw invalidPayload(`There is no collection "${collection}"`)
  const many = changeableCollection(collection, actor, schema)
  const column = many.columns.get(field)
  if (column === undefined) throw invalidPayload(`There is no field "${field}" in collection "${collection}"`)
  if (many.key.length === 1 && many.key.includes(column) && column.relation === null)
    throw invalidPayload('The primary key cannot lead to another item')
  if (schema.relations.some((relation) => relation.collection === collection && relation.field === field))
    throw invalidPayload(`Field "${field}" in collection "${collection}" already has a relation`)
  return { many, column }
}

interface ManySide {
  readonly many: Collection
  readonly column: ColumnField
}

/** Keys of any of several collections cannot form one foreign key. */
function noKeyTo(schema: unknown): SchemaChange[] {
  if (isBody(schema) && Object.values(schema).some((value) => value !== null))
    throw invalidPayload('Without "related_collection" there is no foreign key that "schema" could describe')
  return []
}

const referentialActions: readonly ReferentialAction[] = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT']

function readAction(schema: Body, name: string, otherwise: ReferentialAction): ReferentialAction {
  const given = schema[name]
  if (given === undefined || given === null) return otherwise
  const found = referentialActions.find((action) => typeof given === 'string' && action === given.toUpperCase())
  if (found === undefined) throw invalidPayload(`"schema.${name}" has to be one of ${referentialActions.join(', ')}`)
  return found
}

const foreignKeyKeys = [
  'table',
  'column',
  'columns',
  'foreign_key_schema',
  'foreign_key_table',
  'foreign_key_column',
  'foreign_key_columns',
  'constraint_name',
  'on_update',
  'on_delete',
]

function schemaIn(schema: unknown): Body {
  if (schema === undefined) return {}
  if (!isBody(schema)) throw invalidPayload('"schema" has to be an object')
  refuseUnknown(schema, foreignKeyKeys, 'schema')
  return schema
}

/**
 * `schema: null` requests a relation without a foreign key. Where nothing is said, there is none to the service's own tables
 * from a field of another type than their key.
 */
const isWithoutKey = (one: Collection, column: ColumnField, sent: unknown): boolean =>
  sent === null || (sent === undefined && one.isSystem && one.key[0]?.type !== column.type)

async function foreignKeyTo(
  one: Collection,
  many: Collection,
  column: ColumnField,
  sent: unknown,
  catalogue: Catalogue,
): Promise<SchemaChange[]> {
  if (isWithoutKey(one, column, sent)) return []
  const schema = schemaIn(sent)
  const [key] = one.key
  if (key === undefined || one.key.length !== 1)
    throw new ServiceError('UNPROCESSABLE_CONTENT', `"${one.name}" has no key of one field that could be referred to.`)
  checkTable(many)
  if (!one.isSystem) checkTable(one)
  const table = { schema: many.schema, table: many.table }
  return [
    // Before the key, because MariaDB would make one of its own for a key without an index.
    ...(await indexFor(many, column, catalogue)),
    {
      kind: 'add-foreign-key',
      table,
      column: column.name,
      name: await catalogue.freeName(table, column.name, 'foreign'),
      to: { schema: one.schema, table: one.table },
      toColumn: key.name,
      onDelete: readAction(schema, 'on_delete', 'NO ACTION'),
      onUpdate: readAction(schema, 'on_update', 'NO ACTION'),
    },
  ]
}

/** Without an index, every deletion on the other side reads the whole table. One that begins with the column will do. */
async function indexFor(many: Collection, { name }: ColumnField, catalogue: Catalogue): Promise<SchemaChange[]> {
  const firsts = [...many.uniques.map(([first]) => first), many.key[0]?.name]
  if (many.indexed.includes(name) || firsts.includes(name)) return []
  const table = { schema: many.schema, table: many.table }
  return [{ kind: 'add-index', table, column: name, name: await catalogue.freeName(table, name, 'index') }]
}

function storeRelation(collection: string, field: string, related: string | null, meta: unknown): MetadataChange {
  const fixed = { many_collection: collection, many_field: field, one_collection: related }
  const one: StoredValue = { column: 'one_collection', kind: 'text', value: related }
  const values = [one, ...storedMeta(meta, relationMeta, fixed)]
  return { kind: 'put', table: 'service_relations', keys: keyOf(collection, field), values }
}

/** The field that a relation names on its other side exists from then on; its metadata may still be set later. */
function declareOne(one: Collection | null, meta: unknown): MetadataChange[] {
  const { one_field: name, junction_field: junction } = isBody(meta) ? meta : {}
  if (one === null || one.isSystem || typeof name !== 'string' || name === '') return []
  if (one.columns.has(name) || one.aliases.has(name)) return []
  const special = typeof junction === 'string' ? 'm2m' : 'o2m'
  const keys = fieldKey(one.name, name)
  return [{ kind: 'put', table: 'service_fields', keys, values: storedMeta({ special }, fieldMeta, {}) }]
}

function relationNamed(collection: string, field: string, actor: Actor, schema: Schema): DeclaredRelation {
  readRelation(collection, field, actor, schema)
  changeableCollection(collection, actor, schema)
  const found = schema.relations.find((relation) => relation.collection === collection && relation.field === field)
  if (found === undefined) throw forbidden()
  return found
}

export const updateRelation = (collection: string, field: string, body: unknown, actor: Actor): SchemaCall => ({
  async planner(schema, catalogue) {
    const current = relationNamed(collection, field, actor, schema)
    if (!isBody(body)) throw invalidPayload('The relation has to be an object')
    refuseUnknown(body, bodyKeys, 'a relation')
    for (const [key, value] of [
      ['collection', collection],
      ['field', field],
      ['related_collection', current.relatedCollection],
    ] as const) {
      if (body[key] !== undefined && body[key] !== value) throw invalidPayload(`"${key}" cannot be changed`)
    }
    const hasMeta = isBody(body['meta'])
    return {
      ...nothing,
      ddl: isBody(body['schema']) ? await keyChanges(body['schema'], current, schema, catalogue) : [],
      metadata: hasMeta
        ? [
            storeRelation(collection, field, current.relatedCollection, body['meta']),
            ...declareOne(schema.collections.get(current.relatedCollection ?? '') ?? null, body['meta']),
          ]
        : [],
    }
  },
  answer: (schema) => readRelation(collection, field, actor, schema),
})

/** Actions that are not sent stay unchanged. */
async function keyChanges(
  sent: Body,
  { collection, field, relatedCollection, foreignKey }: DeclaredRelation,
  schema: Schema,
  catalogue: Catalogue,
): Promise<SchemaChange[]> {
  schemaIn(sent)
  const many = schema.collections.get(collection)
  const one = schema.collections.get(relatedCollection ?? '')
  const column = many?.columns.get(field)
  if (many === undefined || one === undefined) return noKeyTo(sent)
  if (foreignKey === null)
    return column === undefined ? noKeyTo(sent) : foreignKeyTo(one, many, column, sent, catalogue)
  const onDelete = readAction(sent, 'on_delete', foreignKey.onDelete)
  const onUpdate = readAction(sent, 'on_update', foreignKey.onUpdate)
  if (onDelete === foreignKey.onDelete && onUpdate === foreignKey.onUpdate) return []
  const [from] = foreignKey.columns
  const [toColumn] = foreignKey.toColumns
  if (from === undefined || toColumn === undefined || foreignKey.columns.length !== 1)
    throw new ServiceError('UNPROCESSABLE_CONTENT', 'A foreign key over several columns cannot be changed here.')
  checkTable(many)
  const table = { schema: many.schema, table: many.table }
  // Drops the old key first: where databases do not keep foreign key names unique, the new key may get the same name.
  return [
    { kind: 'drop-constraint', table, name: foreignKey.name },
    {
      kind: 'add-foreign-key',
      table,
      column: from,
      name: await catalogue.freeName(table, from, 'foreign'),
      to: { schema: foreignKey.toSchema, table: foreignKey.toTable },
      toColumn,
      onDelete,
      onUpdate,
    },
  ]
}

/** Removes the foreign key and its metadata; the column stays. */
export const deleteRelation = (collection: string, field: string, actor: Actor): SchemaCall => ({
  async planner(schema) {
    const { foreignKey, meta } = relationNamed(collection, field, actor, schema)
    const many = schema.collections.get(collection)
    const table = { schema: many?.schema ?? '', table: many?.table ?? '' }
    return {
      ...nothing,
      ddl: foreignKey === null ? [] : [{ kind: 'drop-constraint', table, name: foreignKey.name }],
      metadata: meta === null ? [] : [{ kind: 'remove', table: 'service_relations', keys: keyOf(collection, field) }],
    }
  },
  answer: () => undefined,
})

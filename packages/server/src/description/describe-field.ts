import type { FieldDescription, RelationDescription } from '@tain/contract'
import type { Permitted } from '../access/actor.ts'
import { isForAllRows } from '../access/grants.ts'
import { listsUnstored } from '../engine/items/app-permissions.ts'
import type { Collection, Field, RelationField, Schema } from '../schema/schema.ts'
import type { Visibility } from '../system/visible-schema.ts'
import { has, isNeeded, isSingleton, isWritable, mayBeNull, mayDo, noteOf } from './fields.ts'

/** What the description of one caller depends on. */
export interface Describing {
  readonly actor: Permitted
  readonly schema: Schema
  readonly visibility: Visibility
  /** Whether the description has the collection. */
  readonly isDescribed: (collection: Collection) => boolean
}

function targetsOf(field: Field, collection: Collection, { visibility, isDescribed }: Describing) {
  return visibility.targetsOf(collection, field).filter(isDescribed)
}

function relationOf(field: Field, collection: Collection, describing: Describing): RelationDescription | null {
  const { relation } = field
  if (relation === null) return null
  const to = targetsOf(field, collection, describing).map(({ name }) => name)
  if (relation.kind === 'any') return { kind: 'any', to, collection: relation.collectionColumn }
  return { kind: relation.kind === 'one' ? 'one' : 'many', to }
}

/** Lists, and keys of several columns, consist of what can be read behind them. */
const isReadable = (field: Field, collection: Collection, describing: Describing): boolean =>
  describing.visibility.seesField(collection, field.name) &&
  (field.kind === 'column' || targetsOf(field, collection, describing).length > 0)

/** Every row that a key can name exists and is visible, whichever of its fields are read. */
function isAlwaysThere(field: Field, collection: Collection, { actor, schema }: Describing): boolean {
  const { relation } = field
  if (relation?.kind !== 'one') return false
  const to = schema.collections.get(relation.to)
  const isEnforced = collection.foreignKeys.some(({ columns }) => columns.join('\0') === relation.columns.join('\0'))
  return (
    isEnforced &&
    to !== undefined &&
    (actor.isAdmin || actor.permissionsFor(to, 'read').every(({ rule }) => isForAllRows(rule)))
  )
}

function isNullable(field: Field, collection: Collection, describing: Describing): boolean {
  const { visibility } = describing
  if (listsUnstored(collection.table, collection.isSystem)) return true
  if (field.relation?.kind === 'many' || field.relation?.kind === 'through')
    return isSingleton(collection) || !visibility.isUnmasked(collection, field.name)
  const names = field.kind === 'inferred' ? [field.name, ...columnsOf(field)] : [field.name]
  const isMissing = names.some((name) => {
    const column = collection.columns.get(name)
    return column === undefined ? !visibility.isUnmasked(collection, name) : mayBeNull(column, collection, visibility)
  })
  return isMissing || (field.relation !== null && !isAlwaysThere(field, collection, describing))
}

const columnsOf = ({ relation }: RelationField): readonly string[] => (relation.kind === 'one' ? relation.columns : [])

/** An inferred field is named after the tables on its way, so only callers who may use all of them may write it. */
function isSendable(field: Field, { schema, visibility }: Describing): boolean {
  if (field.kind !== 'inferred') return isWritable(field)
  const { relation } = field
  const tables = relation.kind === 'through' ? [relation.to, relation.junction] : [relation.to]
  return tables.every((name) => {
    const table = schema.collections.get(name)
    return table !== undefined && visibility.mayUse(table)
  })
}

const mayBeCleared = (field: Field, collection: Collection): boolean =>
  field.kind === 'column'
    ? field.column.isNullable
    : field.kind === 'alias' ||
      columnsOf(field).every((name) => collection.columns.get(name)?.column.isNullable === true)

const maySend = (field: Field, action: 'create' | 'update', collection: Collection, describing: Describing): boolean =>
  mayDo(action, collection, describing.visibility) &&
  isSendable(field, describing) &&
  has(describing.actor.fieldsFor(collection, action), field.name)

/** The column can take its value from a row in the payload, by a key of several columns. */
const isCovered = (name: string, collection: Collection, describing: Describing): boolean =>
  [...collection.inferred.values()].some(
    (field) => columnsOf(field).includes(name) && maySend(field, 'create', collection, describing),
  )

type Writing = Pick<FieldDescription, 'create' | 'update' | 'clearable'>

function writingOf(field: Field, collection: Collection, describing: Describing): Writing {
  const isKey = field.kind === 'column' && collection.key.includes(field)
  const create = maySend(field, 'create', collection, describing)
  // A payload may repeat the key of its row, and never changes it.
  const update = !isKey && maySend(field, 'update', collection, describing)
  if (!create && !update) return {}
  const isRequired =
    field.kind !== 'inferred' &&
    isNeeded(field, collection, describing.actor) &&
    !isCovered(field.name, collection, describing)
  return {
    ...(create ? { create: isRequired ? 'required' : 'optional' } : {}),
    ...(update ? { update } : {}),
    ...(mayBeCleared(field, collection) ? { clearable: true } : {}),
  }
}

/** A field as the caller may use it; null: not at all. */
export function describeField(field: Field, collection: Collection, describing: Describing): FieldDescription | null {
  const isRead = isReadable(field, collection, describing)
  const writing = writingOf(field, collection, describing)
  if (!isRead && writing.create === undefined && writing.update === undefined) return null
  const note = field.kind === 'inferred' ? null : noteOf(field)
  const values = field.kind === 'column' ? field.column.enumValues : null
  const relation = relationOf(field, collection, describing)
  return {
    name: field.name,
    type: typeOf(field),
    ...(note === null ? {} : { note }),
    ...(values === null ? {} : { values }),
    ...(holdsNumbers(field) ? { numbers: true } : {}),
    ...(relation === null ? {} : { relation }),
    ...(isOnlyByName(field, collection, describing) ? { inferred: true } : {}),
    ...(isRead ? { read: isNullable(field, collection, describing) ? 'nullable' : 'value' } : {}),
    ...writing,
  }
}

/** By its name alone, a list consists of keys; if some part of them is hidden, `*` omits the list. */
const isOnlyByName = (field: Field, collection: Collection, describing: Describing): boolean =>
  field.kind === 'inferred' ||
  (field.kind === 'alias' &&
    targetsOf(field, collection, describing).some(
      (target) => !target.key.every(({ name }) => describing.visibility.seesField(target, name)),
    ))

const holdsNumbers = (field: Field): boolean =>
  field.kind === 'column' && field.type === 'boolean' && field.column.holdsNumbers === true

/** Secrets of every type are read as asterisks. */
const typeOf = (field: Field): FieldDescription['type'] =>
  field.kind !== 'column' ? 'alias' : field.specials.includes('conceal') ? 'hash' : field.type

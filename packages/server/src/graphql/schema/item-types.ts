import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLFieldConfig,
  type GraphQLOutputType,
} from 'graphql'
import type { Collection, ColumnField, Field } from '../../schema/schema.ts'
import { describeCollection, describeField } from './descriptions.ts'
import type { Meaning } from './field-mapping.ts'
import { fieldNames } from './names.ts'
import { listArguments } from './root-arguments.ts'
import { scalars } from './scalars.ts'
import { functionsOf, isConcealed, listOf, scalarOf } from './shared-types.ts'
import { hasOwnKey, readableFields, type Visibility } from '../../system/visible-schema.ts'
import type { Types } from './types.ts'
import { listsUnstored } from '../../engine/items/app-permissions.ts'

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

const field = (type: GraphQLOutputType, meaning: Meaning, description: string | null = null): FieldConfig => ({
  type,
  description,
  extensions: { meaning },
})

/** An item, with the fields that the caller may read. */
export const itemType = (collection: Collection, name: string, types: Types): GraphQLObjectType =>
  new GraphQLObjectType({
    name,
    description: describeCollection(collection, name),
    fields: () => {
      const entries = readableFields(collection, types.visibility).flatMap((entry) =>
        fieldsOf(entry, collection, types),
      )
      return Object.fromEntries(entries.length === 0 ? [['_empty', { type: scalars.Void }]] : entries)
    },
  })

function fieldsOf(entry: Field, collection: Collection, types: Types): [string, FieldConfig][] {
  const { name } = fieldNames(collection)
  const note = describeField(entry, name(entry.name, 'field'))
  const found: [string, FieldConfig][] = []
  const [to] = types.visibility.targetsOf(collection, entry)
  const relation = entry.relation?.kind
  if (relation === 'one' || relation === 'any') {
    if (to !== undefined) found.push([name(entry.name, 'field'), followed(entry, to, collection, types, note)])
    if (hasOwnKey(entry, to)) found.push([name(entry.name, 'key'), keyField(entry)])
  } else if (relation !== undefined) {
    if (to === undefined) return []
    const meaning = { kind: 'relation', name: entry.name, to } as const
    const type = new GraphQLList(types.output(to, 'item'))
    found.push([name(entry.name, 'field'), { ...field(type, meaning, note), args: listArguments(to, types) }])
  } else if (entry.kind === 'column') {
    found.push([name(entry.name, 'field'), valueField(entry, collection, types.visibility, note)])
  }
  const functions = entry.kind === 'column' ? (relation === undefined ? functionsOf(entry) : undefined) : countOf(entry)
  if (functions !== undefined)
    found.push([name(entry.name, 'functions'), field(functions, { kind: 'functions', name: entry.name })])
  return found
}

const countOf = ({ relation }: Field) => (relation?.kind === 'one' ? undefined : functionsOf('list'))

function followed(
  entry: Field,
  to: Collection,
  collection: Collection,
  types: Types,
  note: string | null,
): FieldConfig {
  if (entry.relation?.kind === 'any') {
    const targets = types.visibility.targetsOf(collection, entry)
    return field(types.union(collection, entry.name), { kind: 'union', name: entry.name, targets }, note)
  }
  const meaning = { kind: 'relation', name: entry.name, to } as const
  return { ...field(types.output(to, 'item'), meaning, note), args: listArguments(to, types) }
}

/** The key itself, even if the caller may not read the item that it refers to. */
const keyField = (entry: Field): FieldConfig =>
  field(scalars.ID, { kind: 'value', name: entry.name, form: entry.kind === 'column' ? textForm(entry) : null })

/** Keys are texts in GraphQL; text types need no conversion. */
const textForm = ({ type }: ColumnField) =>
  type === 'integer' || type === 'float' || type === 'boolean' ? ('text' as const) : null

function valueField(
  entry: ColumnField,
  collection: Collection,
  visibility: Visibility,
  note: string | null,
): FieldConfig {
  const isKey = collection.key.includes(entry) && !isConcealed(entry)
  const form = isKey ? textForm(entry) : entry.type === 'decimal' && !isConcealed(entry) ? 'number' : null
  const plain = isKey ? scalars.ID : entry.type === 'csv' ? listOf('String') : scalarOf(entry)
  // A number that is neither true nor false becomes null. The row of a singleton may be missing; a read then shows default values. Rows that are not stored have no key.
  const isOpenFlag = !isKey && entry.type === 'boolean' && entry.column.holdsNumbers === true
  const isSure =
    !isOpenFlag &&
    collection.meta?.singleton !== true &&
    !listsUnstored(collection.table, collection.isSystem) &&
    !entry.column.isNullable &&
    (isKey || entry.column.defaultExpression === null) &&
    visibility.isUnmasked(collection, entry.name)
  const flag = isOpenFlag ? { flagOf: collection.name } : {}
  return field(isSure ? new GraphQLNonNull(plain) : plain, { kind: 'value', name: entry.name, form, ...flag }, note)
}

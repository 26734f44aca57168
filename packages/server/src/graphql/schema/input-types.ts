import { GraphQLInputObjectType, GraphQLList, GraphQLNonNull, type GraphQLInputFieldConfig } from 'graphql'
import type { Collection, ColumnField, Field } from '../../schema/schema.ts'
import { describeField } from './descriptions.ts'
import { fieldNames, type FieldMeaning } from './names.ts'
import { scalars } from './scalars.ts'
import { functionOperatorsOf, listOf, operatorsOf, presence, scalarOf, someOf } from './shared-types.ts'
import { hasOwnKey, readableFields } from '../../system/visible-schema.ts'
import type { Types } from './types.ts'

type InputEntry = readonly [string, GraphQLInputFieldConfig]

// filters

function filterEntries(collection: Collection, types: Types): InputEntry[] {
  const logical = new GraphQLList(types.input(collection, 'filter'))
  return [
    ...readableFields(collection, types.visibility).flatMap((entry) => conditionsOn(entry, collection, types)),
    ['_and', { type: logical }],
    ['_or', { type: logical }],
  ]
}

function conditionsOn(entry: Field, collection: Collection, types: Types): InputEntry[] {
  const { name } = fieldNames(collection)
  const targets = types.visibility.targetsOf(collection, entry)
  const [to] = targets
  const own = name(entry.name, 'field')
  const found: InputEntry[] = []
  switch (entry.relation?.kind) {
    case 'one':
      if (to !== undefined) found.push([own, { type: types.input(to, 'filter') }])
      if (hasOwnKey(entry, to)) found.push([name(entry.name, 'key'), { type: keyOperators(entry) }])
      return found
    case 'any':
      for (const target of targets)
        found.push([name(entry.name, 'item', target.name), { type: types.input(target, 'filter') }])
      found.push([name(entry.name, 'key'), { type: keyOperators(entry) }])
      return found
    case 'many':
    case 'through': {
      if (to === undefined) return []
      const count = functionOperatorsOf('list')
      found.push([own, { type: types.input(to, 'quantifier') }])
      if (count !== undefined) found.push([name(entry.name, 'functions'), { type: count }])
      return found
    }
    case undefined: {
      if (entry.kind !== 'column') return []
      const functions = functionOperatorsOf(entry)
      found.push([own, { type: operatorsOf(entry) }])
      if (functions !== undefined) found.push([name(entry.name, 'functions'), { type: functions }])
      return found
    }
  }
}

/** A key of several columns can only be tested for presence. */
const keyOperators = (entry: Field) => (entry.kind === 'column' ? operatorsOf(entry) : presence)

export const filterType = (collection: Collection, name: string, types: Types): GraphQLInputObjectType =>
  new GraphQLInputObjectType({ name, fields: () => Object.fromEntries(filterEntries(collection, types)) })

export const quantifierType = (collection: Collection, name: string, types: Types): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name,
    fields: () => {
      const inner = { type: types.input(collection, 'filter') }
      return Object.fromEntries([...filterEntries(collection, types), ['_some', inner], ['_none', inner]])
    },
  })

// payloads

/**
 * Input type of a payload. No field is required: a nested object with only a key links an existing item, presets fill
 * in omitted fields, and the engine reports missing values as it does for every protocol.
 */
export const payloadType = (collection: Collection, name: string, types: Types): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name,
    fields: () => {
      const role = types.names.typeName(collection, 'create') === name ? 'create' : 'update'
      const entries = [...fieldNames(collection).meanings].flatMap(([own, meaning]): InputEntry[] => {
        const entry = payloadEntry(meaning, collection, role, types)
        return entry === null ? [] : [[own, entry]]
      })
      return Object.fromEntries(entries.length === 0 ? [['_empty', { type: scalars.Void }]] : entries)
    },
  })

function payloadEntry(
  { field, role, target }: FieldMeaning,
  collection: Collection,
  action: 'create' | 'update',
  types: Types,
): GraphQLInputFieldConfig | null {
  const isKey = field.kind === 'column' && collection.key.includes(field)
  if (!isKey && !types.visibility.mayName(collection, field.name)) return null
  if (field.kind === 'column' && field.column.generationExpression !== null) return null
  const { relation } = field
  switch (role) {
    case 'field': {
      const description = describeField(field, fieldNames(collection).name(field.name, 'field'))
      if (relation === null)
        return field.kind === 'column' ? { type: isKey ? scalars.ID : payloadScalar(field), description } : null
      // The stored key of an item of any collection.
      if (relation.kind === 'any') return { type: scalars.String, description }
      const to = types.visibility.schema.collections.get(relation.to)
      if (to === undefined || !types.visibility.mayUse(to)) return null
      const inner = types.input(to, action)
      return { type: relation.kind === 'one' ? inner : new GraphQLList(new GraphQLNonNull(inner)), description }
    }
    case 'key':
      return { type: scalars.ID }
    case 'keys':
      return { type: someOf('ID') }
    case 'changes': {
      if (relation?.kind !== 'many' && relation?.kind !== 'through') return null
      const to = types.visibility.schema.collections.get(relation.to)
      return to === undefined || !types.visibility.mayUse(to) ? null : { type: types.input(to, 'changes') }
    }
    case 'item': {
      const to = target === null ? undefined : types.visibility.schema.collections.get(target)
      return to === undefined || !types.visibility.mayUse(to) ? null : { type: types.input(to, action) }
    }
    case 'functions':
      return null
  }
}

const payloadScalar = (field: ColumnField) =>
  field.type === 'csv' ? listOf('String') : field.type === 'hash' ? scalars.String : scalarOf(field)

/** The detailed form of a to-many write. */
export const changesType = (collection: Collection, name: string, types: Types): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name,
    fields: () => ({
      create: { type: new GraphQLList(new GraphQLNonNull(types.input(collection, 'create'))) },
      update: { type: new GraphQLList(new GraphQLNonNull(types.input(collection, 'update'))) },
      delete: { type: someOf('ID') },
    }),
  })

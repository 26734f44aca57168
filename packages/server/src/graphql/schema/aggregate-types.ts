import { aggregates, fieldTypes, isNumber, type AggregateFunction } from '@tain/contract'
import { GraphQLObjectType, type GraphQLFieldConfig } from 'graphql'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import { fieldNames } from './names.ts'
import { scalars } from './scalars.ts'
import { isConcealed, scalarOf } from './shared-types.ts'
import { readableFields } from '../../system/visible-schema.ts'
import type { Types } from './types.ts'

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

const columnsOf = (collection: Collection, { visibility }: Types): ColumnField[] =>
  readableFields(collection, visibility).filter(
    (field) => field.kind === 'column' && !isConcealed(field),
  ) as ColumnField[]

const numbersOf = (collection: Collection, types: Types) =>
  columnsOf(collection, types).filter(({ type, column }) => isNumber(type) || column.isUntyped === true)

/** Numbers, texts and timestamps have a minimum and a maximum; keys, flags and documents do not. */
const extremesOf = (collection: Collection, types: Types) =>
  columnsOf(collection, types).filter(({ type, column }) => {
    const family = fieldTypes[type].operators
    return column.isComparable && (family === 'ordered' || family === 'text' || family === 'any')
  })

function typeOf(
  name: string,
  collection: Collection,
  columns: () => readonly ColumnField[],
  valueOf: (field: ColumnField) => { readonly type: FieldConfig['type']; readonly isNumber: boolean },
): GraphQLObjectType {
  return new GraphQLObjectType({
    name,
    fields: () =>
      Object.fromEntries(
        columns().map((field): [string, FieldConfig] => {
          const { type, isNumber: isNumeric } = valueOf(field)
          const meaning = { kind: 'aggregated', name: field.name, isNumber: isNumeric } as const
          return [fieldNames(collection).name(field.name, 'field'), { type, extensions: { meaning } }]
        }),
      ),
  })
}

export const countsType = (collection: Collection, name: string, types: Types) =>
  typeOf(
    name,
    collection,
    () => columnsOf(collection, types),
    () => ({ type: scalars.Int, isNumber: true }),
  )

export const numbersType = (collection: Collection, name: string, types: Types) =>
  typeOf(
    name,
    collection,
    () => numbersOf(collection, types),
    () => ({ type: scalars.Float, isNumber: true }),
  )

export const extremesType = (collection: Collection, name: string, types: Types) =>
  typeOf(
    name,
    collection,
    () => extremesOf(collection, types),
    (field) => {
      const type = scalarOf(field)
      if (type === scalars.GraphQLBigInt || type === scalars.GraphQLInteger) return { type, isNumber: false }
      return isNumber(field.type)
        ? { type: scalars.Float, isNumber: true }
        : { type: field.type === 'csv' ? scalars.JSON : type, isNumber: false }
    },
  )

/** Type of one group of items. */
export const aggregatedType = (collection: Collection, name: string, types: Types): GraphQLObjectType =>
  new GraphQLObjectType({
    name,
    fields: () => {
      const entries = (Object.keys(aggregates) as AggregateFunction[]).flatMap((fn): [string, FieldConfig][] => {
        const type = aggregateType(fn, collection, types)
        return type === null ? [] : [[fn, { type, extensions: { meaning: { kind: 'aggregate', fn } } }]]
      })
      const group: FieldConfig = { type: scalars.JSON, extensions: { meaning: { kind: 'group' } } }
      return { group, ...Object.fromEntries(entries) }
    },
  })

function aggregateType(fn: AggregateFunction, collection: Collection, types: Types): FieldConfig['type'] | null {
  switch (aggregates[fn].input) {
    case 'none':
      return scalars.Int
    case 'any':
      return columnsOf(collection, types).length === 0 ? null : types.output(collection, 'counts')
    case 'number':
      return numbersOf(collection, types).length === 0 ? null : types.output(collection, 'numbers')
    case 'ordered':
      return extremesOf(collection, types).length === 0 ? null : types.output(collection, 'extremes')
  }
}

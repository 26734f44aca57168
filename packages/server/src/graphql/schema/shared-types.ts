import {
  type FieldFunction,
  fieldFunctions,
  type FieldType,
  forGeometries,
  type Operator,
  operatorFamilies,
  operators,
} from '@tain/contract'
import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLInputFieldConfig,
  type GraphQLInputType,
  type GraphQLNamedType,
} from 'graphql'
import type { ColumnField } from '../../schema/schema.ts'
import { scalars, type ScalarName } from './scalars.ts'

/** Scalars of field types. */
const scalarOfType: Readonly<Record<FieldType, ScalarName>> = {
  string: 'String',
  text: 'String',
  csv: 'String',
  binary: 'String',
  uuid: 'ID',
  integer: 'Int',
  bigInteger: 'GraphQLBigInt',
  float: 'Float',
  decimal: 'Float',
  boolean: 'Boolean',
  date: 'Date',
  dateTime: 'Date',
  time: 'Date',
  timestamp: 'Date',
  json: 'JSON',
  hash: 'Hash',
  ...forGeometries('GraphQLGeoJSON'),
  unknown: 'String',
  alias: 'String',
}

export const isConcealed = ({ specials, type }: ColumnField) => specials.includes('conceal') || type === 'hash'

/** Int has 32 bits, and clients refuse larger numbers. */
const INT_BITS = 32

const scalarName = ({ type, column: { integerBits = INT_BITS } }: ColumnField): ScalarName =>
  type === 'integer' && integerBits > INT_BITS ? 'GraphQLInteger' : scalarOfType[type]

export const scalarOf = (field: ColumnField) => scalars[isConcealed(field) ? 'Hash' : scalarName(field)]

export const listOf = (name: ScalarName) => new GraphQLList(scalars[name])
export const someOf = (name: ScalarName) => new GraphQLList(new GraphQLNonNull(scalars[name]))

// conditions

function operatorInput(name: string, family: readonly Operator[], operand: ScalarName): GraphQLInputObjectType {
  const typeOf = (operator: Operator): GraphQLInputType => {
    switch (operators[operator].operand) {
      case 'flag':
        return scalars.Boolean
      case 'list':
      case 'pair':
        return listOf(operand)
      case 'json':
        return scalars.GraphQLJsonFilter
      case 'geometry':
      case 'value':
        return scalars[operand]
    }
  }
  return new GraphQLInputObjectType({
    name,
    fields: Object.fromEntries(family.map((operator) => [operator, { type: typeOf(operator) }])),
  })
}

/**
 * Several field types share an input. The engine refuses operators that a type does not support, with the same error
 * for every protocol.
 */
const operatorInputs = {
  string: operatorInput('string_filter_operators', operatorFamilies.text, 'String'),
  id: operatorInput('id_filter_operators', operatorFamilies.key, 'ID'),
  binary: operatorInput('binary_filter_operators', operatorFamilies.key, 'String'),
  boolean: operatorInput('boolean_filter_operators', operatorFamilies.flag, 'Boolean'),
  number: operatorInput('number_filter_operators', operatorFamilies.ordered, 'GraphQLStringOrFloat'),
  integer: operatorInput('integer_filter_operators', operatorFamilies.ordered, 'GraphQLInteger'),
  bigInt: operatorInput('big_int_filter_operators', operatorFamilies.ordered, 'GraphQLBigInt'),
  date: operatorInput('date_filter_operators', operatorFamilies.any, 'String'),
  any: operatorInput('any_filter_operators', operatorFamilies.any, 'String'),
  json: operatorInput('json_filter_operators', operatorFamilies.json, 'JSON'),
  hash: operatorInput('hash_filter_operators', operatorFamilies.concealed, 'String'),
  geometry: operatorInput('geometry_filter_operators', operatorFamilies.geometry, 'GraphQLGeoJSON'),
} as const

/** Operators that only test for presence. */
export const presence = operatorInputs.hash

const inputOfScalar: Readonly<Partial<Record<ScalarName, keyof typeof operatorInputs>>> = {
  ID: 'id',
  Boolean: 'boolean',
  Int: 'number',
  Float: 'number',
  GraphQLInteger: 'integer',
  GraphQLBigInt: 'bigInt',
  Date: 'date',
  JSON: 'json',
  GraphQLGeoJSON: 'geometry',
}

export function operatorsOf(field: ColumnField): GraphQLInputObjectType {
  if (isConcealed(field)) return operatorInputs.hash
  if (field.type === 'unknown') return operatorInputs.any
  if (field.type === 'binary') return operatorInputs.binary
  return operatorInputs[inputOfScalar[scalarName(field)] ?? 'string']
}

// functions

type FunctionSet = 'date' | 'time' | 'datetime' | 'count' | 'json'

const setOfType: Readonly<Partial<Record<FieldType, FunctionSet>>> = {
  date: 'date',
  time: 'time',
  dateTime: 'datetime',
  timestamp: 'datetime',
  json: 'json',
}

const functionsOfType = (type: FieldType): FieldFunction[] =>
  (Object.keys(fieldFunctions) as FieldFunction[]).filter((fn) =>
    (fieldFunctions[fn].types as readonly FieldType[]).includes(type),
  )

const functionsOfSet: Readonly<Record<FunctionSet, readonly FieldFunction[]>> = {
  date: functionsOfType('date'),
  time: functionsOfType('time'),
  datetime: functionsOfType('timestamp'),
  json: functionsOfType('json'),
  count: ['count'],
}

const functionTypes = record((set) => {
  const fields = functionsOfSet[set].map((fn) => {
    const meaning = { kind: 'function', fn } as const
    return fn === 'json'
      ? [
          fn,
          { type: scalars.JSON, args: { path: { type: new GraphQLNonNull(scalars.String) } }, extensions: { meaning } },
        ]
      : [fn, { type: scalars.Int, extensions: { meaning } }]
  })
  return new GraphQLObjectType({ name: `${set}_functions`, fields: Object.fromEntries(fields) })
})

const functionInputs = record((set) => {
  const fields = functionsOfSet[set]
    .filter((fn) => fn !== 'json')
    .map((fn): [string, GraphQLInputFieldConfig] => [fn, { type: operatorInputs.number }])
  return new GraphQLInputObjectType({ name: `${set}_function_filter_operators`, fields: Object.fromEntries(fields) })
})

function record<T>(make: (set: FunctionSet) => T): Readonly<Record<FunctionSet, T>> {
  return {
    date: make('date'),
    time: make('time'),
    datetime: make('datetime'),
    count: make('count'),
    json: make('json'),
  }
}

const setOf = (field: ColumnField): FunctionSet | undefined => (isConcealed(field) ? undefined : setOfType[field.type])

export function functionsOf(field: ColumnField | 'list'): GraphQLObjectType | undefined {
  const set = field === 'list' ? 'count' : setOf(field)
  return set && functionTypes[set]
}

export function functionOperatorsOf(field: ColumnField | 'list'): GraphQLInputObjectType | undefined {
  const set = field === 'list' ? 'count' : setOf(field)
  return set && functionInputs[set]
}

// results of deletes

export const deleteOne = new GraphQLObjectType({
  name: 'delete_one',
  fields: { id: { type: new GraphQLNonNull(scalars.ID) } },
})

export const deleteMany = new GraphQLObjectType({
  name: 'delete_many',
  fields: { ids: { type: new GraphQLNonNull(listOf('ID')) } },
})

// changes

export const eventEnum = new GraphQLEnumType({
  name: 'EventEnum',
  values: { create: {}, update: {}, delete: {} },
})

/** Types that exist for every database. */
export const sharedTypes: ReadonlyMap<string, GraphQLNamedType> = new Map(
  [
    ...Object.values(scalars),
    ...Object.values(operatorInputs),
    ...Object.values(functionTypes),
    ...Object.values(functionInputs),
    deleteOne,
    deleteMany,
    eventEnum,
  ].map((type) => [type.name, type]),
)

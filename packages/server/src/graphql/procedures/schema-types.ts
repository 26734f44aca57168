import type { ProcedureName, ProcedureRow, RootField } from '@tain/contract'
import { procedureSchemas } from '@tain/contract/schemas'
import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLScalarType,
} from 'graphql'
import { scalars } from '../schema/scalars.ts'

/** The keywords of a schema that determine its GraphQL type. */
interface Schema {
  /** The name of the type; objects without a name are JSON. */
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

const made = new Map<string, GraphQLNamedType>()

/** Types that the schemas of the procedures name. */
export const namedTypes: ReadonlyMap<string, GraphQLNamedType> = made

/** Types have unique names. */
function once<T extends GraphQLNamedType>(name: string, make: (name: string) => T): T {
  // A title belongs to one schema, which is used either as an input or as an output.
  const type = (made.get(name) as T | undefined) ?? make(name)
  made.set(name, type)
  return type
}

const mapped = <T>(properties: Readonly<Record<string, Schema>>, map: (name: string, schema: Schema) => T) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, map(name, schema)]))

const alternativesOf = ({ anyOf = [] }: Schema) => anyOf.filter(({ type }) => type !== 'null')

export function outputType(schema: Schema): GraphQLOutputType {
  const { type, items } = schema
  if (type !== 'array' || items?.title === undefined) return singleOutput(schema)
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(singleOutput(items))))
}

function singleOutput(schema: Schema): GraphQLObjectType | GraphQLScalarType {
  const { title, properties } = schema
  if (schema.anyOf !== undefined) return singleOutput(alternativesOf(schema)[0] ?? {})
  if (title === undefined || properties === undefined) return scalarOf(schema)
  const fields = () => mapped(properties, (_, member) => ({ type: singleOutput(member) }))
  return once(title, (name) => new GraphQLObjectType({ name, fields: fields() }))
}

function scalarOf({ type, format }: Schema): GraphQLScalarType {
  switch (type) {
    case 'string':
      return scalars.String
    case 'boolean':
      return scalars.Boolean
    case 'integer':
      return format === 'int64' ? scalars.GraphQLBigInt : scalars.Int
    default:
      return scalars.JSON
  }
}

type NullableInput = GraphQLScalarType | GraphQLEnumType | GraphQLInputObjectType | GraphQLList<GraphQLInputType>

function inputType(schema: Schema): NullableInput {
  const { title, description, properties, required = [], type, items } = schema
  const [first = {}, list] = alternativesOf(schema)
  // GraphQL accepts a single value as a list of one.
  if (list !== undefined) return new GraphQLList(inputType(first))
  if (schema.anyOf !== undefined) return inputType(first)
  if (title !== undefined && schema.enum !== undefined)
    return once(title, (name) => new GraphQLEnumType({ name, description, values: valuesOf(schema.enum ?? []) }))
  if (title !== undefined && properties !== undefined) {
    const fields = () =>
      mapped(properties, (name, member) => ({ type: needed(inputType(member), required.includes(name)) }))
    return once(title, (name) => new GraphQLInputObjectType({ name, fields: fields() }))
  }
  if (type === 'array' && items !== undefined) return new GraphQLList(new GraphQLNonNull(inputType(items)))
  return scalarOf(schema)
}

const valuesOf = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, {}]))

const needed = (type: NullableInput, isNeeded: boolean): GraphQLInputType =>
  isNeeded ? new GraphQLNonNull(type) : type

/** GraphQL does not tell null from a value that was not sent. */
const isNullable = (schema: Schema | undefined) => schema?.anyOf?.some(({ type }) => type === 'null') === true

/** The arguments of a procedure's root field. */
export function argumentsOf(
  name: ProcedureName,
  input: ProcedureRow['input'],
  { argument, names = {}, keys = [] }: RootField,
): GraphQLFieldConfigArgumentMap {
  if (argument !== undefined) return { [argument]: { type: new GraphQLNonNull(scalars.JSON) } }
  const schema: Schema = procedureSchemas[name].input
  return Object.fromEntries(
    Object.keys(input).map((member) => {
      const type = keys.includes(member) ? scalars.ID : inputType(schema.properties?.[member] ?? {})
      return [
        names[member] ?? member,
        { type: needed(type, schema.required?.includes(member) === true && !isNullable(schema.properties?.[member])) },
      ]
    }),
  )
}

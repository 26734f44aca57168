import { GraphQLBoolean, GraphQLError, GraphQLScalarType, GraphQLString, Kind, type ConstValueNode } from 'graphql'
import { isExactNumber } from '../../lib/exact-json.ts'

interface JsonWithRaw {
  rawJSON(text: string): unknown
}

const exact = (text: string) => (JSON as unknown as JsonWithRaw).rawJSON(text)

/** A double may not hold sixteen digits or more; such a number keeps its original text. */
const numberFrom = (text: string): unknown => {
  const digits = text.replace(/e.*$/iu, '').replace(/\D/gu, '').length
  return digits > 15 && String(Number(text)) !== text ? exact(text) : Number(text)
}

const refuse = (name: string, value: unknown): never => {
  throw new GraphQLError(`${name} cannot represent value: ${JSON.stringify(value) ?? String(value)}`)
}

const literalValue = (node: ConstValueNode): unknown => {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return numberFrom(node.value)
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value
    case Kind.NULL:
      return null
    case Kind.LIST:
      return node.values.map(literalValue)
    case Kind.OBJECT:
      return objectFrom(node.fields.map(({ name, value }) => [name.value, literalValue(value)]))
  }
}

/** Without a prototype, every name is a plain property. */
function objectFrom(entries: readonly (readonly [string, unknown])[]): Readonly<Record<string, unknown>> {
  const object = Object.create(null) as Record<string, unknown>
  for (const [name, value] of entries) object[name] = value
  return object
}

interface Kinds {
  readonly number?: 'whole' | 'any'
  readonly text?: boolean
  readonly anything?: boolean
}

/** Values reach the engine unchanged: it decides whether a column can hold them, as for every protocol. */
function scalar(name: string, description: string, kinds: Kinds): GraphQLScalarType {
  const accept = (value: unknown): unknown => {
    if (kinds.anything === true) return value
    if (kinds.text === true && typeof value === 'string') return value
    if (kinds.number === 'any' && (typeof value === 'number' || isExactNumber(value))) return value
    if (kinds.number === 'whole') {
      if (isExactNumber(value) && /^-?\d+$/u.test(value.rawJSON)) return value
      if (typeof value === 'number' && Number.isInteger(value)) return value
    }
    return refuse(name, value)
  }
  return new GraphQLScalarType({
    name,
    description,
    coerceInputValue: accept,
    coerceInputLiteral: (node) => {
      if (node.kind === Kind.ENUM && kinds.anything !== true) refuse(name, node.value)
      return accept(literalValue(node))
    },
  })
}

/** Keys are texts; integers are accepted too. */
const id = new GraphQLScalarType({
  name: 'ID',
  description: 'The key of an item, as text. Several parts are joined by commas, each percent-encoded.',
  coerceInputValue: (value) => {
    if (typeof value === 'string') return value
    if (typeof value === 'number' && Number.isInteger(value)) return String(value)
    if (isExactNumber(value) && /^-?\d+$/u.test(value.rawJSON)) return value.rawJSON
    return refuse('ID', value)
  },
  coerceInputLiteral: (node) =>
    node.kind === Kind.STRING || node.kind === Kind.INT ? node.value : refuse('ID', literalValue(node)),
})

/**
 * Int is for values of the protocol itself, such as limits and lengths. Column values may be larger; the column
 * decides.
 */
export const scalars = {
  ID: id,
  Int: scalar('Int', 'A whole number.', { number: 'whole' }),
  Float: scalar('Float', 'A number, or its text; all its digits are kept.', { number: 'any', text: true }),
  // Arguments of directives and introspection use these two built-in types.
  String: GraphQLString,
  Boolean: GraphQLBoolean,
  Date: scalar('Date', 'A date, a time or a moment, in the form of ISO 8601.', { text: true }),
  JSON: scalar('JSON', 'Any JSON value.', { anything: true }),
  Hash: scalar('Hash', 'A secret: it can be written, and only whether it is there can be read.', { text: true }),
  Void: scalar('Void', 'Nothing.', {}),
  GraphQLBigInt: scalar('GraphQLBigInt', 'A whole number of any size, as text.', { number: 'whole', text: true }),
  GraphQLInteger: scalar('GraphQLInteger', 'A whole number, as text if it is outside ±(2^53 − 1).', {
    number: 'whole',
    text: true,
  }),
  GraphQLStringOrFloat: scalar('GraphQLStringOrFloat', 'A number, or its text.', { number: 'any', text: true }),
  GraphQLGeoJSON: scalar('GraphQLGeoJSON', 'A geometry as GeoJSON.', { anything: true }),
  GraphQLJsonFilter: scalar('GraphQLJsonFilter', 'Conditions on paths inside a JSON value.', { anything: true }),
} as const

export type ScalarName = keyof typeof scalars

import {
  __Field,
  __InputValue,
  __Type,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLType,
  type SelectionSetNode,
} from 'graphql'
import { collect, setsOf, type Reading } from './collect.ts'
import { argumentsOf } from './selection-to-query.ts'

type Write = (value: unknown) => string

/** Projects plain values onto a selection: for results that do not come from a statement. */
export interface Projection {
  readonly text: (value: unknown, type: GraphQLOutputType, nodes: readonly FieldNode[]) => string
}

/** Writers are created once per place in the document: all entries of a list share one. */
export function createProjection(reading: Reading): Projection {
  const places = new Map<FieldNode | undefined, Map<GraphQLOutputType, Write>>()

  function writerAt(type: GraphQLOutputType, nodes: readonly FieldNode[]): Write {
    if (nodes.length !== 1) return writerOf(type, nodes)
    const [node] = nodes
    const byType = places.get(node) ?? new Map<GraphQLOutputType, Write>()
    places.set(node, byType)
    const known = byType.get(type) ?? writerOf(type, nodes)
    byType.set(type, known)
    return known
  }

  function writerOf(type: GraphQLOutputType, nodes: readonly FieldNode[]): Write {
    if (isNonNullType(type)) return writerOf(type.ofType, nodes)
    if (isListType(type)) {
      const write = writerOf(type.ofType, nodes)
      return present((value) => {
        let written = ''
        for (const entry of value as Iterable<unknown>) written += written === '' ? write(entry) : `,${write(entry)}`
        return `[${written}]`
      })
    }
    if (isLeafType(type)) return present((value) => JSON.stringify(value))
    if (isObjectType(type)) return present(repeated(type, objectWriter(type, setsOf(nodes))))
    return () => 'null'
  }

  function objectWriter(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Write {
    const fields = type.getFields()
    const parts = [...collect(type, sets, reading)].map(([key, nodes], index): Write => {
      const begin = `${index === 0 ? '' : ','}${JSON.stringify(key)}:`
      const name = nodes[0]?.name.value ?? ''
      const field = fields[name]
      if (field === undefined) {
        const text = begin + (name === '__typename' ? JSON.stringify(type.name) : 'null')
        return () => text
      }
      const write = writerOf(field.type, nodes)
      const { resolve } = field
      if (resolve === undefined) return (value) => begin + write((value as Readonly<Record<string, unknown>>)[name])
      const args = nodes[0] === undefined ? {} : argumentsOf(field, nodes[0], reading)
      const info = { schema: reading.schema } as never
      return (value) => begin + write(resolve(value, args, undefined, info))
    })
    return (value) => {
      let written = '{'
      for (const part of parts) written += part(value)
      return `${written}}`
    }
  }

  return { text: (value, type, nodes) => writerAt(type, nodes)(value) }
}

const present =
  (write: Write): Write =>
  (value) =>
    value === null || value === undefined ? 'null' : write(value)

/** Introspection repeats the same references to scalars, and the same fields and arguments of scalar types. */
function repeated(type: GraphQLObjectType, write: Write): Write {
  const keyOf = keys.get(type)
  if (keyOf === undefined) return write
  const known = new Map<string, string>()
  return (value) => {
    const name = keyOf(value)
    if (name === null) return write(value)
    const text = known.get(name) ?? write(value)
    known.set(name, text)
    return text
  }
}

const typeKey = (type: GraphQLType): string | null => (isScalarType(getNamedType(type)) ? String(type) : null)

/** A key that determines the output of an argument completely; null: there is none. */
function argumentKey({ name, type, description, default: fallback }: GraphQLArgument): string | null {
  const key = (description ?? null) === null && fallback === undefined ? typeKey(type) : null
  return key === null ? null : `${name}:${key}`
}

function fieldKey({ name, type, description, args, deprecationReason }: GraphQLField): string | null {
  const isPlain = args.length === 0 && (description ?? deprecationReason ?? null) === null
  const key = isPlain ? typeKey(type) : null
  return key === null ? null : `${name}:${key}`
}

const keys: ReadonlyMap<GraphQLObjectType, (value: unknown) => string | null> = new Map([
  [__Type, (value) => typeKey(value as GraphQLType)],
  [__InputValue, (value) => argumentKey(value as GraphQLArgument)],
  [__Field, (value) => fieldKey(value as GraphQLField)],
])

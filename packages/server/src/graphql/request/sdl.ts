import { GraphQLObjectType, isIntrospectionType, isSpecifiedScalarType, printType } from 'graphql'
import { reachable } from './introspect.ts'
import { RootType } from '../schema/root-types.ts'
import type { LazySchema } from '../schema/schema.ts'

/** The SDL of a schema, in pieces. Types are sorted by name, so two versions can be compared. */
export function* sdlPieces(schema: LazySchema): Generator<string> {
  const types = new Map<string, string>()
  for (const type of reachable(schema)) {
    // Lets the consumer yield to other requests between pieces.
    yield ''
    if (type === null || isIntrospectionType(type) || isSpecifiedScalarType(type)) continue
    if (type instanceof RootType) types.set(type.name, '')
    else types.set(type.name, printType(type))
  }
  let separator = ''
  for (const [name, text] of [...types].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    yield separator
    separator = '\n\n'
    const type = schema.getType(name)
    if (type instanceof RootType) yield* rootPieces(type)
    else yield text
  }
  yield '\n'
}

function* rootPieces(type: RootType): Generator<string> {
  yield `type ${type.name} {\n`
  for (const field of type.eachField()) {
    const alone = printType(new GraphQLObjectType({ name: type.name, fields: { [field.name]: field.toConfig() } }))
    yield `${alone.split('\n').slice(1, -1).join('\n')}\n`
  }
  yield '}'
}

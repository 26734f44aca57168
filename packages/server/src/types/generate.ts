import type { SchemaDescription } from '@tain/contract'
import { collectionTypes, payloadTypes } from './collection-types.ts'
import { filterTypes } from './filter-types.ts'
import { schemaInterface } from './schema-types.ts'
import { valueTypes } from './value-types.ts'

/** A TypeScript file without imports, for the schema as one caller may use it. */
export function generateTypes({ collections }: SchemaDescription, caller: string): string {
  const byName = new Map(collections.map((collection) => [collection.name, collection]))
  return [
    `// Made by "tain types generate" for ${caller.replaceAll(/\s+/gu, ' ')}. Do not edit: it is written anew.\n`,
    ...collections.map((collection) => collectionTypes(collection, byName)),
    schemaInterface(collections),
    valueTypes,
    payloadTypes,
    filterTypes,
  ].join('\n')
}

import type { CollectionDescription, FieldDescription, SchemaDescription } from '@tain/contract'
import { collectionTypes, payloadTypes } from './collection-types.ts'
import { filterTypes } from './filter-types.ts'
import { schemaInterface } from './schema-types.ts'
import { valueTypes } from './value-types.ts'

/** A TypeScript file without imports, for the schema as one caller may use it. */
export function generateTypes(description: SchemaDescription, caller: string): string {
  const collections = description.collections.map(inFixedOrder)
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

/** The key, then names: a snapshot does not tell the order of columns, and gives the same file as its database. */
function inFixedOrder(collection: CollectionDescription): CollectionDescription {
  const before = (a: FieldDescription, b: FieldDescription) => (a.name < b.name ? -1 : 1)
  const key = collection.key.flatMap((name) => collection.fields.find((field) => field.name === name) ?? [])
  const others = collection.fields.filter(({ name }) => !collection.key.includes(name))
  return { ...collection, fields: [...key, ...others.toSorted(before)] }
}

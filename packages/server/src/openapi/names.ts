import type { Collection, Schema } from '../schema/schema.ts'

/** The part of an operation id and of a schema's name that stands for a collection: `blocks_hero` → `BlocksHero`. */
export type CollectionNames = ReadonlyMap<string, string>

const accents = /\p{M}/gu
/** Names of schemas have no other letters. */
const otherLetters = /[^\p{ASCII}]/gu
const words = /[a-z\d]+/giu

const pascal = (name: string): string =>
  [...name.normalize('NFKD').replaceAll(accents, '').replaceAll(otherLetters, '').matchAll(words)]
    .map(([part]) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

const known = new WeakMap<Schema, CollectionNames>()

/**
 * Two collections may have the same letters. The later one gets a number, in the order in which collections came, so
 * the name of an existing collection never changes.
 */
export function namesOf(schema: Schema): CollectionNames {
  const found = known.get(schema)
  if (found !== undefined) return found
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const collection of inOrderOfCreation(schema)) {
    const base = pascal(collection) || 'Collection'
    let name = base
    for (let count = 2; taken.has(name); count += 1) name = `${base}${count}`
    taken.add(name)
    names.set(collection, name)
  }
  known.set(schema, names)
  return names
}

const inOrderOfCreation = ({ typeNames, collections }: Schema): ReadonlySet<string> =>
  new Set([...(typeNames?.keys() ?? []), ...collections.keys()])

/** The name of the schema of a collection's rows. */
export const rowName = ({ name, isSystem }: Collection, names: CollectionNames): string =>
  `${isSystem ? 'System' : 'Items'}${names.get(name) ?? ''}`

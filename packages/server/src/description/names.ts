import { reservedTypeNames, typeSuffixes } from '@tain/contract'
import type { Schema } from '../schema/schema.ts'

/** The part of an operation id and of a type's name that stands for a collection: `blocks_hero` → `BlocksHero`. */
export type CollectionNames = ReadonlyMap<string, string>

const accents = /\p{M}/gu
/** Names of types have no other letters. */
const otherLetters = /[^\p{ASCII}]/gu
const words = /[a-z\d]+/giu

const pascal = (name: string): string =>
  [...name.normalize('NFKD').replaceAll(accents, '').replaceAll(otherLetters, '').matchAll(words)]
    .map(([part]) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

const known = new WeakMap<Schema, CollectionNames>()

/** `orders` has the type `OrdersCreate` too, so a collection `orders_create` needs another name. */
const allNames = (name: string): readonly string[] => [name, ...typeSuffixes.map((suffix) => `${name}${suffix}`)]

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
    for (let count = 2; allNames(name).some((each) => taken.has(each)); count += 1) name = `${base}${count}`
    for (const each of allNames(name)) taken.add(each)
    names.set(collection, name)
  }
  known.set(schema, names)
  return names
}

const inOrderOfCreation = ({ typeNames, collections }: Schema): ReadonlySet<string> =>
  new Set([...(typeNames?.keys() ?? []), ...collections.keys()])

const reserved = new Set<string>(reservedTypeNames)

/** The name as an identifier: it begins with no digit, and is none of the names that generated files have already. */
export const typeNameOf = (name: string): string =>
  /^\d/u.test(name) || allNames(name).some((each) => reserved.has(each)) ? `_${name}` : name

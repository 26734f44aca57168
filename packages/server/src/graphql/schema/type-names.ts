import type { Collection } from '../../schema/schema.ts'
import type { NameTypes } from '../../schema/mirror.ts'

/** Roles of the types of a collection; each name is built around the collection's own name. */
export const typeRoles = {
  item: (name: string) => name,
  filter: (name: string) => `${name}_filter`,
  quantifier: (name: string) => `${name}_quantifier_filter`,
  aggregated: (name: string) => `${name}_aggregated`,
  counts: (name: string) => `${name}_aggregated_count`,
  numbers: (name: string) => `${name}_aggregated_fields`,
  extremes: (name: string) => `${name}_aggregated_extremes`,
  create: (name: string) => `create_${name}_input`,
  update: (name: string) => `update_${name}_input`,
  changes: (name: string) => `${name}_changes_input`,
  mutated: (name: string) => `${name}_mutated`,
} as const

/** Root fields of a collection. */
export const queryRoles = {
  list: (name: string) => name,
  byId: (name: string) => `${name}_by_id`,
  aggregated: (name: string) => `${name}_aggregated`,
} as const

export const mutationRoles = {
  createItems: (name: string) => `create_${name}_items`,
  createItem: (name: string) => `create_${name}_item`,
  updateItems: (name: string) => `update_${name}_items`,
  updateBatch: (name: string) => `update_${name}_batch`,
  updateItem: (name: string) => `update_${name}_item`,
  updateByQuery: (name: string) => `update_${name}_by_query`,
  updateSingleton: (name: string) => `update_${name}`,
  upsertItems: (name: string) => `upsert_${name}_items`,
  deleteItems: (name: string) => `delete_${name}_items`,
  deleteItem: (name: string) => `delete_${name}_item`,
  deleteByQuery: (name: string) => `delete_${name}_by_query`,
} as const

export const subscriptionRoles = {
  mutated: (name: string) => `${name}_mutated`,
} as const

/** A valid GraphQL name: invalid characters become `_`, and a leading digit gets a `_` prefix. */
export function plainName(name: string): string {
  const letters = name.replace(/\W/gu, '_').replace(/^__+/u, '_')
  return letters === '' || /^\d/u.test(letters) ? `_${letters}` : letters
}

/** Appends a number if the name is taken. */
export function free(name: string, isTaken: (name: string) => boolean): string {
  let found = name
  for (let number = 2; isTaken(found); number += 1) found = `${name}${number}`
  return found
}

export const unionOf = (name: string, field: string) => `${name}_${plainName(field)}_union`

/** Prefixes and suffixes around the collection's name in derived names. */
const affixes = [...Object.values(typeRoles), ...Object.values(queryRoles)].map((role) => {
  const [before = '', after = ''] = role('\u0000').split('\u0000')
  return { before, after }
})

/**
 * Assigns the names that types and root fields of collections are built from. A remembered name stays, and is reserved
 * while its collection is absent. A new collection gets a number if its name is taken, also by a derived type or root
 * field.
 */
export const createNameTypes =
  (reserved: ReadonlySet<string>): NameTypes =>
  (collections, remembered) => {
    const rows = remembered.filter(({ kind }) => kind === 'type')
    const own = [...collections.values()].filter(({ isSystem }) => isSystem)
    const names = new Map<string, string>()
    const inUse = new Set(rows.map(({ name }) => name))
    const old = new Set(inUse)
    const isMade = (name: string) =>
      affixes.some(({ before, after }) => {
        const stem = name.slice(before.length, name.length - after.length)
        return stem.length < name.length && name === `${before}${stem}${after}` && old.has(stem)
      }) ||
      (name.endsWith('_union') && unions().has(name))
    let unionNames: Set<string> | undefined
    const unions = () =>
      (unionNames ??= new Set(rows.flatMap((row) => unionsOf(collections.get(row.collection), row.name))))
    const give = ({ name: collection }: Collection) => {
      const name = free(plainName(collection), (each) => inUse.has(each) || reserved.has(each) || isMade(each))
      inUse.add(name)
      names.set(collection, name)
    }
    for (const collection of own) give(collection)
    for (const name of names.values()) old.add(name)
    for (const { collection, name } of rows)
      if (collections.has(collection) && !names.has(collection) && !reserved.has(name)) names.set(collection, name)
    const newcomers = [...collections.values()].filter(({ name }) => !names.has(name))
    const isPlain = ({ name }: Collection) => plainName(name) === name
    for (const collection of newcomers.filter(isPlain)) give(collection)
    for (const collection of newcomers) if (!names.has(collection.name)) give(collection)
    return names
  }

const unionsOf = (collection: Collection | undefined, name: string): string[] =>
  [...(collection?.columns.values() ?? [])].flatMap((field) =>
    field.relation?.kind === 'any' ? [unionOf(name, field.name)] : [],
  )

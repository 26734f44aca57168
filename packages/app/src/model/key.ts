import type { Collection } from './collection.ts'
import { pathOf } from './path.ts'
import { plainText } from './plain-text.ts'

export type Row = Readonly<Record<string, unknown>>

/**
 * The key of a row as addresses name it: its parts, each percent-encoded, joined by commas. Null when the row does not
 * carry it, or the collection has none.
 */
export function keyOf({ key }: Pick<Collection, 'key'>, row: Row): string | null {
  const parts = key.map((name) => keyValue(row[name]))
  if (parts.length === 0 || parts.some((part) => part === null || part === undefined)) return null
  return parts.map((part) => encodeURIComponent(plainText(part))).join(',')
}

/** The fields of the key, as a list of fields writes them. */
export const keyPaths = ({ key }: { readonly key: readonly string[] }): readonly string[] =>
  key.map((name) => pathOf(name))

/** The parts of a key in an address, as a filter names them. */
export const keyParts = (key: string): readonly string[] => key.split(',').map((part) => decodeURIComponent(part))

/** The filter that finds one row. */
export const keyFilter = ({ key: names }: Pick<Collection, 'key'>, key: string): Row => {
  const parts = keyParts(key)
  return { _and: names.map((name, index) => ({ [name]: { _eq: parts[index] } })) }
}

/** The key as people read it. */
export const keyText = (key: string): string => keyParts(key).join(', ')

/** The value of a key's part, also where the row carries the whole related row instead. */
function keyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.values(value)[0]
}

type Named = Pick<Collection, 'collection' | 'system'>

/** The path of one row in the API. */
export const itemPath = (collection: Named, key: string): string => `${collectionPath(collection)}/${key}`

/** The path of a collection in the API: the service's own have routes of their own. */
export const collectionPath = ({ collection, system }: Named): string =>
  system === true ? `/${collection.replace(/^service_/u, '')}` : `/items/${encodeURIComponent(collection)}`

/** Where the app shows a collection, and one of its rows; below the app's root. */
export const browseRoute = (collection: string): string => `/c/${encodeURIComponent(collection)}`
export const itemRoute = (collection: string, key: string): string => `${browseRoute(collection)}/${key}`

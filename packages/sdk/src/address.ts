import { systemPaths } from './contract.ts'
import { assertConditions, assertKey } from './defined.ts'

/** Longer addresses are sent as SEARCH: some proxies accept no more than 8 KB. */
const LONGEST = 6 * 1024

const isSystem = (name: string): name is keyof typeof systemPaths => Object.hasOwn(systemPaths, name)

/** The address of a collection. */
export const pathOf = (collection: string): string =>
  isSystem(collection) ? `/${systemPaths[collection]}` : `/items/${encodeURIComponent(collection)}`

/** A key in an address: parts joined by commas, each percent-encoded. */
export function keyInPath(key: unknown): string {
  assertKey(key)
  return (Array.isArray(key) ? key : [key]).map((part) => encodeURIComponent(String(part))).join(',')
}

/**
 * A text with a comma is a composite key as rows contain it, or one value. The service knows which, but only of keys in a
 * body: in an address, they are written differently.
 */
export const isForBody = (key: unknown): boolean => typeof key === 'string' && key.includes(',')

/** A key in a body: composite ones are texts there. */
export function keyInBody(key: unknown): unknown {
  assertKey(key)
  return Array.isArray(key) ? keyInPath(key) : key
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A query as a query string, with its question mark. */
export function queryString(query: object): string {
  assertConditions(query)
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** Whether an address is too long for a query string, so that the query is sent in a body. */
export const needsBody = (path: string): boolean => path.length > LONGEST

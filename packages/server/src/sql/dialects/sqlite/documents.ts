import { byText, canonicalJson } from '../../../lib/canonical-json.ts'
import { isExactNumber, parseExactJson } from '../../../lib/exact-json.ts'
import { numberKey } from './numbers.ts'

/** undefined for text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

/** Steps into objects by name and into lists by index. A negative index counts from the end. */
function stepInto(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^-?\d+$/u.test(key) ? (value.at(Number(key)) as unknown) : undefined
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return undefined
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}

const inside = (document: string, path: string): unknown =>
  (JSON.parse(path) as readonly string[]).reduce(stepInto, parsed(document))

/** The value at a path, as JSON; null if there is none. */
export function jsonAt(document: string, path: string): string | null {
  const found = inside(document, path)
  return found === undefined ? null : JSON.stringify(found)
}

/** The value at a path, as text: strings without their quotes, and null for a JSON null. */
export function textAt(document: string, path: string): string | null {
  const found = inside(document, path)
  if (found === undefined || found === null) return null
  return typeof found === 'string' ? found : JSON.stringify(found)
}

/** The number at a path, as text; null for other values. */
export function numberAt(document: string, path: string): string | null {
  const found = inside(document, path)
  return typeof found === 'number' || isExactNumber(found) ? JSON.stringify(found) : null
}

export const isJson = (text: string): boolean => parsed(text) !== undefined

/** The number of values in a list; null for other values. */
export function lengthOf(document: string): number | null {
  const value = parsed(document)
  return Array.isArray(value) ? value.length : null
}

const RANKS = { string: '1', number: '2', boolean: '3', list: '4', object: '5' } as const

const count = (length: number) => String(length).padStart(8, '0')

/** A key that sorts by its bytes: texts, numbers, booleans, lists, objects; shorter lists and objects first. */
function sortKey(value: unknown): string {
  if (value === null) return '0'
  if (typeof value === 'string') return `${RANKS.string}${value}\u0000`
  if (typeof value === 'number' || isExactNumber(value))
    return `${RANKS.number}${numberKey(JSON.stringify(value))}\u0001`
  if (typeof value === 'boolean') return `${RANKS.boolean}${value ? 1 : 0}`
  if (Array.isArray(value)) return `${RANKS.list}${count(value.length)}${value.map(sortKey).join('')}`
  const members = Object.entries(value as object).toSorted(([a], [b]) => a.length - b.length || byText(a, b))
  return `${RANKS.object}${count(members.length)}${members.map(([name, member]) => `${name}\u0000${sortKey(member)}`).join('')}`
}

const SEPARATOR = '\u0002'

/** A text that sorts like the document and still contains it; null for a JSON null. A key is returned unchanged. */
export function documentKey(document: string): string | null {
  if (document.includes(SEPARATOR)) return document
  const value = parsed(document)
  if (value === undefined || value === null) return null
  return `${sortKey(value)}${SEPARATOR}${canonicalJson(value)}`
}

export const documentOfKey = (key: string): string => key.slice(key.lastIndexOf(SEPARATOR) + 1)

/** Replaces members of an object with a text, if they exist and are not null. */
export function withMasked(text: string, names: string, mask: string): string {
  const document = parseExactJson(text)
  if (typeof document !== 'object' || document === null || Array.isArray(document) || isExactNumber(document))
    return text
  const members = document as Record<string, unknown>
  for (const name of JSON.parse(names) as string[])
    if (Object.hasOwn(members, name) && members[name] !== null) members[name] = mask
  return JSON.stringify(members)
}

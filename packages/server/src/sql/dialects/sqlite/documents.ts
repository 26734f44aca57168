import { byText, canonicalJson } from '../../../lib/canonical-json.ts'
import { isExactNumber, parseExactJson } from '../../../lib/exact-json.ts'
import { numberKey } from './numbers.ts'

/** undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

/** Steps by name into objects, by place into lists, counted from the end where it is negative. */
function stepInto(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^-?\d+$/u.test(key) ? (value.at(Number(key)) as unknown) : undefined
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return undefined
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}

const inside = (document: string, path: string): unknown =>
  (JSON.parse(path) as readonly string[]).reduce(stepInto, parsed(document))

/** What a path leads to, as JSON; null where it leads nowhere. */
export function jsonAt(document: string, path: string): string | null {
  const found = inside(document, path)
  return found === undefined ? null : JSON.stringify(found)
}

/** The same as text: strings without their quotes, and nothing for a JSON null. */
export function textAt(document: string, path: string): string | null {
  const found = inside(document, path)
  if (found === undefined || found === null) return null
  return typeof found === 'string' ? found : JSON.stringify(found)
}

/** A number as text; null for what is none. */
export function numberAt(document: string, path: string): string | null {
  const found = inside(document, path)
  return typeof found === 'number' || isExactNumber(found) ? JSON.stringify(found) : null
}

export const isJson = (text: string): boolean => parsed(text) !== undefined

/** How many values a list has; null for what is no list. */
export function lengthOf(document: string): number | null {
  const value = parsed(document)
  return Array.isArray(value) ? value.length : null
}

const RANKS = { string: '1', number: '2', boolean: '3', list: '4', object: '5' } as const

const count = (length: number) => String(length).padStart(8, '0')

/** Sorts by its bytes: texts, numbers, truth values, lists, objects; the shorter lists and objects first. */
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

/** A text that sorts as the document does and still holds it; nothing for a JSON null. What is a key stays as it is. */
export function documentKey(document: string): string | null {
  if (document.includes(SEPARATOR)) return document
  const value = parsed(document)
  if (value === undefined || value === null) return null
  return `${sortKey(value)}${SEPARATOR}${canonicalJson(value)}`
}

export const documentOfKey = (key: string): string => key.slice(key.lastIndexOf(SEPARATOR) + 1)

/** An object with a text in place of some members, where they are there and not null. */
export function withMasked(text: string, names: string, mask: string): string {
  const document = parseExactJson(text)
  if (typeof document !== 'object' || document === null || Array.isArray(document) || isExactNumber(document))
    return text
  const members = document as Record<string, unknown>
  for (const name of JSON.parse(names) as string[])
    if (Object.hasOwn(members, name) && members[name] !== null) members[name] = mask
  return JSON.stringify(members)
}

import { invalidPayload } from '@tain/contract'
import { parseExactJson } from '../../lib/exact-json.ts'
import type { SystemCollection } from '../../schema/system-collection.ts'

/** A row of Directus: the texts of the columns that exist. */
export type TextRow = Readonly<Record<string, string | null>>

type Text = string | null | undefined

/** Databases print a boolean in different forms. */
export const flagIn = (text: Text): boolean => text === 't' || text === 'true' || text === '1'

export function jsonIn(text: Text, what: string): unknown {
  if (text === null || text === undefined || text === '') return null
  try {
    return parseExactJson(text)
  } catch {
    throw invalidPayload(`"${what}" is no JSON`)
  }
}

/** A list is stored as names with commas between them, in some versions as JSON. */
export function listIn(text: Text): readonly string[] | null {
  if (text === null || text === undefined) return null
  const given = text.trim()
  const parts = given.startsWith('[') ? (jsonIn(given, 'list') as readonly unknown[]).map(String) : given.split(',')
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const integerIn = (text: string): unknown => (/^-?\d{1,15}$/u.test(text) ? Number(text) : text)

/** Lists that Directus stores as names with commas between them. */
const lists: ReadonlySet<string> = new Set(['ip_access', 'fields'])

/** The columns that the declared table has too, with values of its types. A missing value gets the default. */
export function typedRow(row: TextRow, declared: SystemCollection, columns: readonly string[]) {
  return Object.fromEntries(
    columns.flatMap((name) => {
      const { [name]: text } = row
      const column = declared.columns[name]
      if (text === undefined || column === undefined || (text === null && column.isNullable !== true)) return []
      return [[name, text === null ? null : typedValue(name, text, column.type)] as const]
    }),
  )
}

function typedValue(name: string, text: string, type: string): unknown {
  if (lists.has(name)) return listIn(text)
  if (type === 'boolean') return flagIn(text)
  if (type === 'integer' || type === 'counter' || type === 'bigint') return integerIn(text)
  if (type === 'json') return jsonIn(text, name)
  return type === 'uuid' ? text.toLowerCase() : text
}

import { MASK, fieldTypes } from '@tain/contract'
import { parseExactJson } from '../lib/exact-json.ts'
import { joinedKey } from '../query/keys.ts'
import type { Collection, ColumnField } from '../schema/schema.ts'
import { typed } from '../schema/typed-column.ts'
import type { Dialect } from '../sql/dialect.ts'

/** The key of a changed row as addresses have it. */
export const itemOf = (key: readonly string[], collection: Collection, dialect: Dialect): string =>
  joinedKey(shownKey(key, collection, dialect))

/** Converts a key from the output of the database to the form in responses, so that it can be searched for. */
function shownKey(key: readonly string[], collection: Collection, dialect: Dialect): readonly string[] {
  if (!collection.key.some(({ type }) => fieldTypes[type].isReshaped)) return key
  return collection.key.map((field, index) => shownPart(key[index] ?? '', field, dialect))
}

export const shownPart = (text: string, field: ColumnField, { formOf }: Dialect): string =>
  fieldTypes[field.type].isReshaped ? String(JSON.parse(formOf(typed(field)).write(text))) : text

/** Fields whose values nobody reads. */
export const secretNames = ({ columns }: Collection): string[] =>
  [...columns.values()].flatMap(({ name, specials }) => (specials.includes('conceal') ? [name] : []))

/** Masks secrets, because others may read what is recorded. */
export function masked(json: string | null, secrets: readonly string[]): string | null {
  if (json === null || secrets.length === 0) return json
  const row = parseExactJson(json) as Record<string, unknown>
  for (const name of secrets) if (row[name] !== undefined && row[name] !== null) row[name] = MASK
  return JSON.stringify(row)
}

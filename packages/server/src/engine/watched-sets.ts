import { fieldTypes, ServiceError } from '@tain/contract'
import { parseExactJson } from '../lib/exact-json.ts'
import { keyFromText } from '../query/keys.ts'
import type { Collection } from '../schema/schema.ts'
import { typed } from '../schema/typed-column.ts'
import { ValueError, type Dialect } from '../sql/dialect.ts'

/** Runs a conversion; null: the value does not fit. */
function fitting<T>(convert: () => T): T | null {
  try {
    return convert()
  } catch (error) {
    if (error instanceof ValueError || error instanceof ServiceError) return null
    throw error
  }
}

const partsOf = (key: string, collection: Collection): readonly string[] =>
  collection.key.length === 1 ? [key] : keyFromText(key)

/** A key of the log as a row of a set of keys; null: no row can have it. */
export const keyRow = (key: string, collection: Collection, dialect: Dialect): string | null =>
  fitting(() => {
    const parts = partsOf(key, collection)
    if (parts.length !== collection.key.length) return null
    const cells = collection.key.map(
      (field, index) => `"f${index}":${dialect.keyValue(parts[index] ?? '', typed(field))}`,
    )
    return `{${cells.join(',')}}`
  })

/**
 * The image of a row as a row of a set of images; null: the image does not have every column of the table, or a value does
 * not fit its column any more. Documents that keep rows of other collections are masked in a way that images are not.
 */
export const imageRow = (image: string, collection: Collection, { bulk, payloadValue }: Dialect): string | null =>
  fitting(() => {
    const values = parseExactJson(image) as Readonly<Record<string, unknown>> | null
    if (values === null || collection.kept !== null) return null
    const cells: string[] = []
    for (const field of collection.columns.values()) {
      if (!Object.hasOwn(values, field.name)) return null
      const name = bulk.imageName(typed(field), cells.length)
      cells.push(`${JSON.stringify(name)}:${payloadValue(values[field.name], typed(field))}`)
    }
    return `{${cells.join(',')}}`
  })

/** The rows that there are, as one JSON text, and from their place in it to their place among all. */
export function recordsetOf(rows: readonly (string | null)[]): { set: string; placeOf: (place: number) => number } {
  const kept: string[] = []
  const places: number[] = []
  for (const [place, row] of rows.entries()) {
    if (row === null) continue
    kept.push(row)
    places.push(place)
  }
  return { set: `[${kept.join(',')}]`, placeOf: (place) => places[place - 1] ?? -1 }
}

/** The key of the log as events show it: one value in the form of responses, several as the text of addresses. */
export function shownKey(key: string, { key: fields }: Collection, { formOf }: Dialect): string {
  const [field, ...others] = fields
  if (field === undefined || others.length > 0) return JSON.stringify(key)
  if (field.type === 'boolean' && (key === 'true' || key === 'false')) return key
  if (field.type !== 'boolean' && fieldTypes[field.type].isReshaped) return JSON.stringify(key)
  return formOf(typed(field)).write(key)
}

/** A key in the spelling of the log: numbers without leading zeros, uuids in lower case. */
export function spelledKey(key: string, { key: fields }: Collection, { keyValue }: Dialect): string {
  const [field, ...others] = fields
  if (field === undefined || others.length > 0) return key
  if (field.type === 'uuid') return key.toLowerCase()
  if (field.type !== 'integer' && field.type !== 'bigInteger') return key
  const written = fitting(() => keyValue(key, typed(field)))
  return written === null ? key : String(parseExactJson(written))
}

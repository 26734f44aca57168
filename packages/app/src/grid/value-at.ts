import { rawText } from '../displays/display.ts'
import { fillTemplate } from '../model/template.ts'
import type { Row } from '../model/key.ts'
import { rowNames } from '../model/path.ts'
import type { Column } from './column.ts'

/** The value of a path: `customer.name`. Lists give lists. */
export function valueAt(row: Row, path: string): unknown {
  let value: unknown = row
  for (const name of rowNames(path)) value = stepInto(value, name)
  return value
}

function stepInto(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => stepInto(each, name))
  return typeof value === 'object' && value !== null ? (value as Row)[name] : value === null ? null : undefined
}

/** The related row in words: its template, else its key. */
export function relatedText(value: unknown, { related }: Column): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const words = related === undefined ? '' : fillTemplate(related.template, value as Row)
  return words === '' ? relatedKey(value, related?.key ?? []) : words
}

/** The key of a related row, whether the row or only its key is there. */
export function relatedKey(value: unknown, key: readonly string[]): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const names = key.length === 0 ? Object.keys(value).slice(0, 1) : key
  return names.map((name) => rawText((value as Row)[name] ?? '')).join(', ')
}

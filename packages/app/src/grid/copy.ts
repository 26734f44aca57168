import { readItems } from '../api/items.ts'
import { rawText } from '../displays/display.ts'
import { keyFilter, keyOf, type Row } from '../model/key.ts'
import type { Cells } from './clipboard.ts'
import type { Column } from './column.ts'
import { CUT, type RowSource } from './row-source.ts'
import { relatedKey, relatedText, valueAt } from './value-at.ts'

/** A value as a spreadsheet takes it: plain numbers and dates, words for relations. */
export function plainText(value: unknown, column: Column): string {
  if (value === null || value === undefined) return ''
  if (column.related !== undefined) return relatedText(value, column)
  return rawText(value)
}

/** The exact value, as pasting it back needs it. */
export function exactText(value: unknown, column: Column): string {
  if (value !== null && value !== undefined && column.related !== undefined)
    return relatedKey(value, column.related.key)
  return plainText(value, column)
}

export const cellsOf = (
  rows: readonly Row[],
  columns: readonly Column[],
  text: (value: unknown, column: Column) => string,
): Cells => rows.map((row) => columns.map((column) => text(valueAt(row, column.path), column)))

const isCut = (value: unknown): boolean => typeof value === 'string' && value.length >= CUT

export const hasCut = (rows: readonly Row[], columns: readonly Column[]): boolean =>
  rows.some((row) => columns.some(({ path }) => isCut(valueAt(row, path))))

/** The rows again, with long values whole. */
export async function wholeRows(
  { query: { collection, fields } }: RowSource,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const keys = rows.flatMap((row) => keyOf(collection, row) ?? [])
  const { data } = await readItems(collection, {
    fields,
    filter: { _or: keys.map((key) => keyFilter(collection, key)) },
    limit: -1,
  })
  const byKey = new Map(data.map((row) => [keyOf(collection, row), row]))
  return rows.map((row) => byKey.get(keyOf(collection, row)) ?? row)
}

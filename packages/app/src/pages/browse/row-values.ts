import type { Column } from '../../grid/column.ts'
import { valueAt } from '../../grid/value-at.ts'
import type { Row } from '../../model/key.ts'
import { fillTemplate } from '../../model/template.ts'

/** A value as plain text: a related row in the words of its template, else its key. */
export function plainValue(row: Row, { path, related }: Pick<Column, 'path' | 'related'>): string {
  const value = valueAt(row, path)
  if (related !== undefined && typeof value === 'object' && value !== null) {
    const words = fillTemplate(related.template, value as Row)
    return words === '' ? related.key.map((name) => scalarText((value as Row)[name])).join(', ') : words
  }
  return scalarText(value)
}

function scalarText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Rows for a spreadsheet. Tabs and line breaks inside values are quoted. */
export const toTsv = (rows: readonly Row[], columns: readonly Column[]): string => separated(rows, columns, '\t')

export const toCsv = (rows: readonly Row[], columns: readonly Column[]): string => separated(rows, columns, ',')

function separated(rows: readonly Row[], columns: readonly Column[], sign: string): string {
  const quoted = (text: string): string =>
    text.includes(sign) || /["\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  return [
    columns.map(({ label }) => quoted(label)).join(sign),
    ...rows.map((row) => columns.map((column) => quoted(plainValue(row, column))).join(sign)),
  ].join('\n')
}

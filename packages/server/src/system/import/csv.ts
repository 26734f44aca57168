import { pipeline } from 'node:stream'
import { invalidPayload, ServiceError } from '@tain/contract'
import { CsvError, parse } from 'csv-parse'
import { parseExactJson } from '../../lib/exact-json.ts'
import type { Payload } from '../../query/mutation.ts'
import type { FieldNamed } from '../../engine/write/import.ts'
import type { Field } from '../../schema/schema.ts'
import { checkText, MAX_ROW } from './text.ts'

interface Column {
  readonly name: string
  /** Value of an empty cell; undefined omits the field, so that its default applies. */
  readonly empty: null | undefined
  readonly isJson: boolean
}

/** CSV with a header line → one payload per line. The field types determine how a cell is read. */
export async function* csvRows(
  content: AsyncIterable<Buffer>,
  fieldNamed: FieldNamed,
): AsyncGenerator<Payload | ServiceError> {
  const options = { bom: true, skip_empty_lines: true, max_record_size: MAX_ROW }
  const parser = pipeline(checkText(content), parse(options), () => undefined)
  let columns: readonly Column[] | null = null
  try {
    for await (const cells of parser as AsyncIterable<readonly string[]>) {
      if (columns === null) columns = columnsOf(cells, fieldNamed)
      else yield rowOf(cells, columns)
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error
  }
  if (columns === null) throw invalidPayload('The file is empty; its first line has to name the fields')
}

/** The header is the first record, so the number of records is the number of the unreadable row. */
const unreadable = (error: CsvError): ServiceError =>
  new ServiceError('INVALID_PAYLOAD', `Invalid payload. ${error.message}.`, {
    row: Number((error as { records?: unknown }).records ?? 0),
    reason: error.message,
  })

function columnsOf(names: readonly string[], fieldNamed: FieldNamed): Column[] {
  const seen = new Set<string>()
  return names.map((written) => {
    const name = written.trim()
    const field = fieldNamed(name)
    if (seen.has(name)) throw invalidPayload(`The first line names "${name}" twice`)
    seen.add(name)
    return columnOf(name, field)
  })
}

const columnOf = (name: string, field: Field): Column =>
  field.kind === 'column'
    ? { name, empty: field.column.isNullable ? null : undefined, isJson: field.type === 'json' }
    : { name, empty: undefined, isJson: true }

function rowOf(cells: readonly string[], columns: readonly Column[]): Payload | ServiceError {
  const row = Object.create(null) as Record<string, unknown>
  for (const [index, { name, empty, isJson }] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell !== '') {
      const value = isJson ? jsonIn(cell, name) : cell
      if (value instanceof ServiceError) return value
      row[name] = value
    } else if (empty === null) row[name] = null
  }
  return row
}

function jsonIn(cell: string, field: string): unknown {
  try {
    return parseExactJson(cell)
  } catch {
    const reason = `"${field}" takes JSON`
    return new ServiceError('INVALID_PAYLOAD', `Invalid payload. ${reason}.`, { field, reason })
  }
}

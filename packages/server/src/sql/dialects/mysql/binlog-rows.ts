import type { OutsideCells, OutsideChange } from '../../outside.ts'
import { bytesOf, isSet, packed, take, type Bytes } from './binlog-bytes.ts'
import type { Decode } from './binlog-charsets.ts'
import { eventTypes as e, HEADER, inflated, readHeader } from './binlog-events.ts'
import { presentIn, type LogColumn, type LogTable } from './binlog-table.ts'
import { readValue, skip } from './binlog-values.ts'

interface RowsEvent {
  readonly kind: 'create' | 'update' | 'delete'
  /** The columns of each image of a row: one, or two of an update. */
  readonly images: readonly (readonly LogColumn[])[]
  readonly rows: Bytes
}

const kinds: ReadonlyMap<number, RowsEvent['kind']> = new Map([
  [e.insert, 'create'],
  [e.update, 'update'],
  [e.delete, 'delete'],
  [e.compressedInsert, 'create'],
  [e.compressedUpdate, 'update'],
  [e.compressedDelete, 'delete'],
])

export const isRowsEvent = (type: number): boolean => kinds.has(type)

export const isInsertEvent = (type: number): boolean => kinds.get(type) === 'create'

function open(event: Buffer, columns: readonly LogColumn[]): RowsEvent {
  const { type } = readHeader(event)
  const kind = kinds.get(type) ?? 'create'
  const bytes = bytesOf(event, HEADER + 8)
  const width = packed(bytes)
  const image = () => presentIn(take(bytes, (width + 7) >> 3), columns)
  const images = kind === 'update' ? [image(), image()] : [image()]
  return { kind, images, rows: type >= e.compressedInsert ? bytesOf(inflated(bytes)) : bytes }
}

/** Calls `each` with every value that is not NULL. */
function walk(rows: Bytes, image: readonly LogColumn[], each: (column: LogColumn, isNull: boolean) => void): void {
  const nulls = take(rows, (image.length + 7) >> 3)
  for (const [index, column] of image.entries()) each(column, isSet(nulls, index))
}

/** How many rows an event has, without reading their values. */
export function countRows(event: Buffer, { columns }: LogTable): number {
  if (columns === null) return 1
  const { images, rows } = open(event, columns)
  let count = 0
  for (; rows.at < rows.from.length; count += 1)
    for (const image of images)
      walk(rows, image, (column, isNull) => {
        if (!isNull) skip(rows, column)
      })
  return count
}

function cellsOf(rows: Bytes, image: readonly LogColumn[], decode: Decode): Record<string, string | null | undefined> {
  const cells = Object.create(null) as Record<string, string | null | undefined>
  walk(rows, image, (column, isNull) => {
    cells[column.name] = isNull ? null : readValue(rows, column, decode)
  })
  return cells
}

/** Without their names nobody can say what the columns are: something of the table has changed. */
const unknown = ({ schema, name }: LogTable): OutsideChange => ({
  schema,
  table: name,
  kind: 'truncate',
  before: null,
  isBeforeWhole: false,
  after: null,
})

export function* changesOf(event: Buffer, table: LogTable, decode: Decode): Generator<OutsideChange> {
  const { schema, name, columns } = table
  if (columns === null) return yield unknown(table)
  const { kind, images, rows } = open(event, columns)
  const [first = [], second = []] = images
  while (rows.at < rows.from.length) {
    const cells = cellsOf(rows, first, decode)
    const before: OutsideCells | null = kind === 'create' ? null : cells
    const after = kind === 'create' ? cells : kind === 'update' ? cellsOf(rows, second, decode) : null
    // With a smaller row image, what did not change is told with the row before only.
    if (before !== null && after !== null)
      for (const [column, value] of Object.entries(before)) if (after[column] === undefined) after[column] = value
    const isBeforeWhole = before !== null && columns.every((column) => before[column.name] !== undefined)
    yield { schema, table: name, kind, before, isBeforeWhole, after }
  }
}

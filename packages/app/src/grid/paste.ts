import type { RowChange } from './batch.ts'
import type { Cells } from './clipboard.ts'
import type { Column } from './column.ts'
import { parseValue } from './parse-value.ts'
import type { RowSource } from './row-source.ts'
import { valueAt } from './value-at.ts'
import { sentValue } from './writes.ts'
import { isNested } from '../model/path.ts'

/** One row of what is pasted: what it would change, and why it cannot be. */
export interface PastedRow {
  /** Where it goes; null: a new row at the end. */
  readonly index: number | null
  readonly change: RowChange
  /** What is wrong, by the path of the column. */
  readonly problems: ReadonlyMap<string, string>
  readonly cells: readonly string[]
}

export interface PastePlan {
  readonly columns: readonly Column[]
  readonly rows: readonly PastedRow[]
  /** How many columns of the pasted cells lie beyond the last column. */
  readonly left: number
}

/** What pasting would do: every value is read by its column's type first. */
export function planPaste(
  source: RowSource,
  columns: readonly Column[],
  cells: Cells,
  from: { readonly row: number; readonly column: number },
): PastePlan {
  const width = Math.max(0, ...cells.map((row) => row.length))
  const into = columns.slice(from.column, from.column + width)
  const { total } = source.snapshot()
  const rows = cells.map((texts, line) => {
    const index = from.row + line < total ? from.row + line : null
    return pastedRow(source, into, texts, index)
  })
  return { columns: into, rows, left: width - into.length }
}

function pastedRow(
  source: RowSource,
  columns: readonly Column[],
  texts: readonly string[],
  index: number | null,
): PastedRow {
  const row = index === null ? {} : source.row(index)
  const key = index === null ? null : source.key(index)
  const problems = new Map<string, string>()
  const change: Record<string, unknown> = {}
  const before: Record<string, unknown> = {}
  for (const [place, column] of columns.entries()) {
    const text = texts[place]
    if (text === undefined) continue
    const { path } = column
    const name = column.field.field
    const was = row === undefined ? undefined : sentValue(column, valueAt(row, path))
    const parsed = parseValue(text, column)
    const isUnchanged = index !== null && parsed.isValue && JSON.stringify(parsed.value) === JSON.stringify(was)
    const isLeftOut = index === null && text === ''
    if (isUnchanged || isLeftOut) continue
    if (column.whyReadOnly !== null) problems.set(path, column.whyReadOnly)
    else if (isNested(path)) problems.set(path, 'This value belongs to a related row.')
    else if (!parsed.isValue) problems.set(path, parsed.reason)
    else {
      change[name] = parsed.value
      before[name] = was
    }
  }
  if (index !== null && row === undefined) problems.set('', 'This row is not loaded. Scroll to it, then paste again.')
  else if (index !== null && key === null) problems.set('', 'This row has no key, so it cannot be changed.')
  return { index, change: { key, change, before, shown: change }, problems, cells: texts }
}

/** Whether a row of the plan writes anything. */
export const isWriting = ({ change, problems }: PastedRow): boolean =>
  problems.size === 0 && Object.keys(change.change).length > 0

/** Whether to show what would happen before it does: more than one row, or cells that have no column. */
export const needsPreview = ({ rows, left }: PastePlan): boolean =>
  rows.length > 1 || left > 0 || rows.some(({ problems }) => problems.size > 0)

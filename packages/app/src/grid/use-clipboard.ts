import { useState, type ClipboardEvent } from 'react'
import { messageOf } from '../api/api-error.ts'
import type { Row } from '../model/key.ts'
import { toast } from '../ui/toasts.tsx'
import { writeRows } from './batch.ts'
import { parseTsv, tiled, toHtml, toTsv, type Cells } from './clipboard.ts'
import { parseHtml } from './clipboard-html.ts'
import type { Column } from './column.ts'
import { cellsOf, exactText, hasCut, plainText, wholeRows } from './copy.ts'
import { isWriting, needsPreview, planPaste, type PastePlan } from './paste.ts'
import { rectangleOf, sizeOf } from './rectangle.ts'
import { isEmpty, type Selection } from './selection.ts'
import type { RowSource, SourceSnapshot } from './row-source.ts'
import { undoOffer } from './undo-tab.ts'
import type { Actions } from './use-actions.ts'
import type { Writes } from './writes.ts'

interface ClipboardOf {
  readonly source: RowSource
  readonly columns: readonly Column[]
  readonly selection: Selection
  readonly actions: Actions
  readonly writes: Writes
  readonly isEditable: boolean
  readonly snapshot: SourceSnapshot
}

const rowsText = (count: number): string => (count === 1 ? '1 row' : `${count} rows`)

/** Copies what is selected, pastes blocks of cells, and fills. */
export function useClipboard({ source, columns, selection, actions, writes, isEditable }: ClipboardOf) {
  const [plan, setPlan] = useState<PastePlan | null>(null)
  const rectangle = rectangleOf(actions.range)

  /** What is selected: the checked rows, else the rectangle. Null, after saying why: not all of it is loaded. */
  const selected = (): { readonly rows: readonly Row[]; readonly of: readonly Column[] } | null => {
    if (!isEmpty(selection)) {
      const rows: Row[] = []
      for (const key of selection.isAll ? [] : selection.keys) {
        const row = source.rowOf(key)
        if (row !== undefined) rows.push(row)
      }
      if (!selection.isAll && rows.length === selection.keys.size) return { rows: inOrder(rows), of: columns }
    } else {
      const rows: Row[] = []
      const { bottom, left, right } = rectangle
      for (let index = Math.max(0, rectangle.top); index <= bottom; index++) {
        const row = source.row(index)
        if (row === undefined) break
        rows.push(row)
      }
      if (rows.length === bottom - Math.max(0, rectangle.top) + 1) return { rows, of: columns.slice(left, right + 1) }
    }
    toast('Not all of the selected rows are loaded, so nothing was copied. Export them instead.', { tone: 'warn' })
    return null
  }
  const inOrder = (rows: readonly Row[]): readonly Row[] => {
    const keys = source.loadedKeys()
    const place = new Map(keys.map((key, index) => [source.rowOf(key), index]))
    return rows.toSorted((one, other) => (place.get(one) ?? 0) - (place.get(other) ?? 0))
  }

  const copyText = async (): Promise<void> => {
    const found = selected()
    if (found === null) return
    try {
      const rows = hasCut(found.rows, found.of) ? await wholeRows(source, found.rows) : found.rows
      await navigator.clipboard.writeText(toTsv(cellsOf(rows, found.of, plainText)))
      toast(`Copied ${rowsText(rows.length)}.`)
    } catch (error) {
      toast(`Nothing was copied. ${messageOf(error)}`, { tone: 'danger' })
    }
  }

  const onCopy = (event: ClipboardEvent): void => {
    if (actions.doing.kind === 'editing') return
    event.preventDefault()
    const found = selected()
    if (found === null) return
    if (hasCut(found.rows, found.of)) return void copyText()
    const words = cellsOf(found.rows, found.of, plainText)
    event.clipboardData.setData('text/plain', toTsv(words))
    event.clipboardData.setData('text/html', toHtml(words, cellsOf(found.rows, found.of, exactText)))
  }

  const apply = async (made: PastePlan, label: string): Promise<void> => {
    const changes = made.rows.filter(isWriting).map(({ change }) => change)
    if (changes.length === 0) return
    const { written, refused, act } = await writeRows(source, changes, label, () => undefined)
    const [reason] = refused.values()
    if (reason !== undefined) toast(`${rowsText(refused.size)} refused: ${reason}`, { tone: 'danger' })
    if (written > 0) toast(`Changed ${rowsText(written)}.`, { action: undoOffer(act) })
  }

  const take = (cells: Cells, isAsked: boolean): void => {
    if (!isEditable) return actions.say('You may not change rows here.')
    const { rows, columns: across } = sizeOf(rectangle)
    const made = planPaste(source, columns, tiled(cells, rows, across), {
      row: Math.max(0, rectangle.top),
      column: rectangle.left,
    })
    if (isAsked && needsPreview(made)) return setPlan(made)
    const [single] = made.rows
    const [column] = made.columns
    if (made.rows.length === 1 && made.columns.length === 1 && single !== undefined && column !== undefined) {
      const { key, change } = single.change
      const [problem] = single.problems.values()
      if (problem !== undefined) return actions.say(problem)
      const name = column.field.field
      if (key !== null && name in change) void writes.write(key, { column, value: change[name], shown: change[name] })
      return
    }
    void apply(made, `Pasted ${rowsText(made.rows.length)}`)
  }

  const onPaste = (event: ClipboardEvent): void => {
    if (actions.doing.kind === 'editing') return
    event.preventDefault()
    const html = event.clipboardData.getData('text/html')
    const cells = (html === '' ? null : parseHtml(html)) ?? parseTsv(event.clipboardData.getData('text/plain'))
    if (cells.length > 0) take(cells, true)
  }

  /** Repeats the selected cells down to a row. */
  const fillTo = (row: number): void => {
    const { top, bottom, left, right } = rectangle
    if (!isEditable) return actions.say('You may not change rows here.')
    const of = columns.slice(left, right + 1)
    const from: Row[] = []
    for (let index = top; index <= bottom; index++) from.push(source.row(index) ?? {})
    const cells = cellsOf(from, of, exactText)
    const down = Array.from({ length: row - bottom }, (_, line) => cells[line % cells.length] ?? [])
    const made = planPaste(source, columns, down, { row: bottom + 1, column: left })
    const [problem] = made.rows.flatMap(({ problems }) => [...problems.values()])
    if (problem !== undefined) return actions.say(problem)
    actions.select({ anchor: { row: top, column: left }, active: { row, column: right } })
    void apply(made, `Filled ${rowsText(down.length)}`)
  }

  /** Ctrl+D: the first row of the rectangle goes to all others; a single cell takes the one above. */
  const fillDown = (): void => {
    const { top, bottom, left, right } = rectangle
    const first = top === bottom ? top - 1 : top
    const row = source.row(first)
    if (row === undefined) return
    if (!isEditable) return actions.say('You may not change rows here.')
    const [cells = []] = cellsOf([row], columns.slice(left, right + 1), exactText)
    const made = planPaste(
      source,
      columns,
      Array.from({ length: bottom - first }, () => cells),
      { row: first + 1, column: left },
    )
    const [problem] = made.rows.flatMap(({ problems }) => [...problems.values()])
    if (problem !== undefined) return actions.say(problem)
    void apply(made, `Filled ${rowsText(made.rows.length)}`)
  }
  actions.onFill.current = fillDown

  return {
    plan,
    closePreview: () => {
      setPlan(null)
      actions.done()
    },
    copy: () => void copyText(),
    onCopy,
    onPaste,
    fill: fillTo,
  }
}

import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { whyReadOnly } from '../model/collection.ts'
import type { CellMenuEntry, Doing } from './active.tsx'
import type { Column } from './column.ts'
import { editorPlace, whyNoEditor, type Leave } from './editor.tsx'
import type { GridProps } from './grid-props.ts'
import { clampWidth } from './header.tsx'
import { commandOf, type Command } from './keys.ts'
import { emptyValue } from './parse-value.ts'
import { at, HEADER, moved, rectangleOf, shiftedBy, type Range } from './rectangle.ts'
import { noSelection, withChecked } from './selection.ts'
import type { SourceSnapshot } from './row-source.ts'
import { redoLast, undoLast } from './undo-tab.ts'
import type { Sheet } from './use-sheet.ts'
import { valueAt } from './value-at.ts'
import { sentValue, type Writes } from './writes.ts'
import { isNested } from '../model/path.ts'

const RESIZE = 16

interface ActionsOf extends GridProps {
  readonly snapshot: SourceSnapshot
  readonly writes: Writes
  readonly sheet: Sheet
  readonly edges: readonly number[]
  readonly table: RefObject<HTMLDivElement | null>
}

export interface Actions {
  readonly range: Range
  readonly doing: Doing
  readonly select: (range: Range) => void
  readonly begin: (typed?: string) => void
  readonly commit: (value: unknown, shown: unknown, leave: Leave) => void
  readonly done: () => void
  readonly openMenu: () => void
  readonly say: (words: string) => void
  readonly overwrite: () => void
  readonly takeTheirs: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly entries: (copy: () => void) => readonly CellMenuEntry[]
  /** Told by the clipboard, which knows how to fill. */
  readonly onFill: { current: () => void }
}

const steps: Readonly<Record<Leave, { readonly rows: number; readonly columns: number }>> = {
  stay: { rows: 0, columns: 0 },
  down: { rows: 1, columns: 0 },
  up: { rows: -1, columns: 0 },
  next: { rows: 0, columns: 1 },
  previous: { rows: 0, columns: -1 },
}

/** The active cell, what is selected from it, and what keys do there. */
export function useActions(given: ActionsOf): Actions {
  const { source, columns, snapshot, writes, sheet, edges, table, selection, onSelect, isEditable } = given
  const [range, setRange] = useState<Range>(() => at(0, 0))
  const [doing, setDoing] = useState<Doing>({ kind: 'nothing' })
  const onFill = useRef<() => void>(() => undefined)
  const bounds = { rows: snapshot.total, columns: columns.length }
  const { active } = range
  const column = columns[active.column]
  const row = source.row(active.row)
  const key = source.key(active.row)

  const known = useRef({ source, shift: snapshot.shift })
  useLayoutEffect(() => {
    const before = known.current
    known.current = { source, shift: snapshot.shift }
    if (before.source !== source) {
      setRange(({ active: { column: place } }) => at(0, Math.max(0, Math.min(place, columns.length - 1))))
      setDoing({ kind: 'nothing' })
    } else if (before.shift !== snapshot.shift) setRange((now) => shiftedBy(now, snapshot.shift - before.shift))
  })

  const select = (next: Range): void => {
    setRange(next)
    setDoing({ kind: 'nothing' })
    if (next.active.row !== HEADER) sheet.reveal(next.active.row)
    sheet.revealSide(edges[next.active.column] ?? 0, edges[next.active.column + 1] ?? 0)
    const isExtended = next.anchor.row !== next.active.row || next.anchor.column !== next.active.column
    if (isExtended && selection.keys.size > 0) onSelect(noSelection)
  }
  const move = (rows: number, by: number, isExtending: boolean): void =>
    select(moved(range, { rows, columns: by }, bounds, isExtending))
  const say = (words: string): void => setDoing({ kind: 'saying', words })
  const done = (): void => {
    setDoing({ kind: 'nothing' })
    table.current?.focus({ preventScroll: true })
  }

  const whyNot = (of: Column): string | null => {
    if (!isEditable) return whyReadOnly(source.query.collection) ?? of.whyReadOnly ?? 'You may not change rows here.'
    if (of.whyReadOnly !== null) return of.whyReadOnly
    if (isNested(of.path)) return 'This value belongs to a related row. Open that row to change it.'
    if (editorPlace(of, null) === 'none') return whyNoEditor(of)
    return key === null ? 'This row has no key, so it cannot be changed.' : null
  }

  const write = (value: unknown, shown: unknown): void => {
    if (key === null || column === undefined || row === undefined) return
    const trouble = writes.trouble(key, column.path)
    const before = trouble === null ? valueAt(row, column.path) : trouble.shown
    const isSame = JSON.stringify(sentValue(column, before) ?? null) === JSON.stringify(value ?? null)
    if (isSame && trouble === null) return
    if (isSame && JSON.stringify(sentValue(column, trouble?.original)) === JSON.stringify(value)) {
      writes.restore(key, column.path)
      return
    }
    void writes.write(key, { column, value, shown })
  }

  const list = column?.counted === undefined || row === undefined ? undefined : given.onList?.bind(null, column, row)

  const begin = (typed?: string): void => {
    if (column === undefined || row === undefined) return
    if (list !== undefined && typed === undefined) return list()
    const reason = whyNot(column)
    if (reason !== null) return say(reason)
    const value = valueAt(row, column.path)
    if (editorPlace(column, value) !== 'toggle') return setDoing({ kind: 'editing', typed })
    const next = value === true ? false : value === false && column.field.schema?.is_nullable === true ? null : true
    write(next, next)
  }

  const clear = (): void => {
    if (column === undefined) return
    const reason = whyNot(column)
    if (reason !== null) return say(reason)
    const empty = emptyValue(column.field)
    if (empty.isValue) write(empty.value, empty.value)
    else say(empty.reason)
  }

  const restore = (): void => {
    if (doing.kind !== 'nothing') return setDoing({ kind: 'nothing' })
    if (key !== null && column !== undefined && writes.restore(key, column.path)) return
    if (selection.isAll || selection.keys.size > 0) onSelect(noSelection)
    else setRange(at(active.row, active.column))
  }

  const checkRows = (): void => {
    const { top, bottom } = rectangleOf(range)
    const keys: string[] = []
    for (let index = top; index <= bottom; index++) keys.push(...[source.key(index) ?? []].flat())
    const isOn = !keys.every((each) => selection.keys.has(each))
    onSelect(withChecked(selection, keys, isOn, source.loadedKeys()))
  }

  const inHeader = (command: Command): boolean => {
    if (active.row !== HEADER || column === undefined) return false
    if (command.name === 'edit') given.onSort(column.path, false)
    else if (command.name === 'sort') given.onSort(column.path, true)
    else if (command.name === 'move' && command.isExtending && command.columns !== 0 && command.rows === 0)
      given.onResize(column.path, clampWidth(column.width + Math.sign(command.columns) * RESIZE))
    else return command.name !== 'move' && command.name !== 'page'
    return true
  }

  const run = (command: Command): void => {
    if (inHeader(command)) return
    switch (command.name) {
      case 'move':
        return move(command.rows, command.columns, command.isExtending)
      case 'page':
        return move(command.pages * sheet.page, 0, command.isExtending)
      case 'edit':
        return begin()
      case 'type':
        return begin(command.text)
      case 'clear':
        return clear()
      case 'restore':
        return restore()
      case 'peek':
        return row === undefined ? undefined : (given.onPeek ?? given.onOpen)(row)
      case 'open':
        return row === undefined ? undefined : given.onOpen(row)
      case 'row':
        return checkRows()
      case 'column':
        return select({ anchor: { row: 0, column: active.column }, active: { ...active, row: bounds.rows - 1 } })
      case 'all':
        return onSelect(withChecked(selection, source.loadedKeys(), true, []))
      case 'fill':
        return onFill.current()
      case 'undo':
        return void undoLast()
      case 'redo':
        return void redoLast()
      case 'menu':
        return setDoing({ kind: 'menu' })
      case 'sort':
        return undefined
    }
  }

  return {
    range,
    doing,
    select,
    begin,
    done,
    say,
    onFill,
    openMenu: () => setDoing({ kind: 'menu' }),
    commit: (value, shown, leave) => {
      write(value, shown)
      done()
      if (leave !== 'stay') move(steps[leave].rows, steps[leave].columns, false)
    },
    overwrite: () => {
      if (key !== null && column !== undefined) writes.overwrite(key, column.path)
      done()
    },
    takeTheirs: () => {
      if (key !== null && column !== undefined) writes.takeTheirs(key, column.path)
      done()
    },
    onKeyDown: (event) => {
      if (doing.kind === 'editing' || doing.kind === 'menu' || event.nativeEvent.isComposing) return
      const command = commandOf(event, sheet.isRightToLeft)
      if (command === null) return
      event.preventDefault()
      run(command)
    },
    entries: (copy) => {
      if (column === undefined || row === undefined) return []
      const value = sentValue(column, valueAt(row, column.path))
      const { onQuickFilter } = given
      return [
        ...(list === undefined ? [] : [{ id: 'list', label: 'Show these rows', keys: 'Enter', run: list }]),
        {
          id: 'edit',
          label: 'Edit',
          ...(list === undefined ? { keys: 'Enter' } : {}),
          whyNot: whyNot(column),
          run: () => begin(),
        },
        { id: 'copy', label: 'Copy', keys: 'Ctrl+C', run: copy },
        { id: 'open', label: 'Open the row', keys: 'Ctrl+Enter', run: () => given.onOpen(row) },
        ...(onQuickFilter === undefined
          ? []
          : [
              { id: 'only', label: 'Only this value', run: () => onQuickFilter(column.path, value, false) },
              { id: 'not', label: 'Not this value', run: () => onQuickFilter(column.path, value, true) },
            ]),
        { id: 'clear', label: 'Set NULL', keys: 'Delete', whyNot: whyNot(column), run: clear },
      ]
    },
  }
}

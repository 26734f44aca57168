import { useRef, type MouseEvent, type PointerEvent } from 'react'
import { at, rectangleOf } from './rectangle.ts'
import { withChecked, type Selection } from './selection.ts'
import type { RowSource } from './row-source.ts'
import type { Actions } from './use-actions.ts'
import type { Sheet } from './use-sheet.ts'

interface PointerOf {
  readonly source: RowSource
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  readonly sheet: Sheet
  readonly actions: Actions
  /** Fills the cells below what is selected, down to a row. */
  readonly onFill: (row: number) => void
}

interface Found {
  readonly row: number
  /** Null: the gutter. */
  readonly column: number | null
}

/** The cell that an element belongs to. */
function foundAt(target: EventTarget | Element | null): Found | null {
  if (!(target instanceof Element)) return null
  const row = target.closest<HTMLElement>('[data-row]')
  if (row === null) return null
  const cell = target.closest<HTMLElement>('[data-col]')
  return { row: Number(row.dataset['row']), column: cell === null ? null : Number(cell.dataset['col']) }
}

/** What the pointer does in the sheet: one handler for all cells. */
export function usePointer({ source, selection, onSelect, sheet, actions, onFill }: PointerOf) {
  const lastChecked = useRef<number | null>(null)
  const latest = useRef(actions)
  latest.current = actions

  const check = (row: number, isRange: boolean): void => {
    const from = isRange && lastChecked.current !== null ? lastChecked.current : row
    const keys: string[] = []
    for (let index = Math.min(from, row); index <= Math.max(from, row); index++) {
      const key = source.key(index)
      if (key !== null) keys.push(key)
    }
    const own = source.key(row)
    const isOn = own !== null && !(selection.isAll || selection.keys.has(own))
    lastChecked.current = row
    onSelect(withChecked(selection, keys, isOn, source.loadedKeys()))
  }

  /** Follows the pointer until it is let go. */
  const follow = (pointer: number, onMove: (found: Found) => void, onEnd: () => void): void => {
    const element = sheet.element.current
    const move = (event: globalThis.PointerEvent): void => {
      if (event.pointerId !== pointer) return
      const found = foundAt(document.elementFromPoint(event.clientX, event.clientY))
      if (found !== null && element?.contains(event.target as Node) !== undefined) onMove(found)
    }
    const end = (): void => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
      onEnd()
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
  }

  return {
    onPointerDown: (event: PointerEvent): void => {
      const found = foundAt(event.target)
      if (found?.column === null || found === null || event.button !== 0) return
      const { column } = found
      const { range } = latest.current
      const start = event.shiftKey ? range.anchor : { row: found.row, column }
      const isSame = range.active.row === found.row && range.active.column === column
      if (!isSame || event.shiftKey) latest.current.select({ anchor: start, active: { row: found.row, column } })
      // fingers scroll; only a mouse or a pen drags a rectangle
      if (event.pointerType === 'touch') return
      follow(
        event.pointerId,
        ({ row, column: over }) => {
          const { active } = latest.current.range
          if (over === null || (row === active.row && over === active.column)) return
          latest.current.select({ anchor: start, active: { row, column: over } })
        },
        () => undefined,
      )
    },
    onClick: (event: MouseEvent): void => {
      const found = foundAt(event.target)
      if (found !== null && found.column === null) check(found.row, event.shiftKey)
    },
    onDoubleClick: (event: MouseEvent): void => {
      const found = foundAt(event.target)
      if (found !== null && found.column !== null) latest.current.begin()
    },
    onContextMenu: (event: MouseEvent): void => {
      const found = foundAt(event.target)
      if (found === null || found.column === null) return
      event.preventDefault()
      const { top, bottom, left, right } = rectangleOf(latest.current.range)
      const { row, column } = found
      if (row < top || row > bottom || column < left || column > right) latest.current.select(at(row, column))
      // after the selection has been drawn: the menu opens at the active cell
      requestAnimationFrame(() => latest.current.openMenu())
    },
    beginFill: (event: PointerEvent, show: (row: number | null) => void): void => {
      if (event.button !== 0) return
      event.preventDefault()
      const { bottom } = rectangleOf(latest.current.range)
      let to = bottom
      follow(
        event.pointerId,
        ({ row }) => {
          to = Math.max(bottom, row)
          show(to > bottom ? to : null)
        },
        () => {
          show(null)
          if (to > bottom) onFill(to)
        },
      )
    },
  }
}

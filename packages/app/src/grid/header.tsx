import { memo, type PointerEvent } from 'react'
import { kindRows } from '../model/kind.ts'
import { Icon } from '../ui/icon.tsx'
import type { Column } from './column.ts'
import { fitText, type Measure } from './fit.ts'
import styles from './grid.module.css'

const NARROWEST = 48
const WIDEST = 800
/** Glyph, gap and padding; and the arrow of the order with its gap. */
const AROUND = 40
const ARROW = 19

export const clampWidth = (width: number): number => Math.round(Math.max(NARROWEST, Math.min(WIDEST, width)))

interface HeaderProps {
  readonly id: string
  readonly columns: readonly Column[]
  readonly firstColumn: number
  readonly lead: number
  readonly width: number
  readonly sort: readonly string[]
  readonly measure: Measure
  /** The column whose name is active; null: none is. */
  readonly activeColumn: number | null
  readonly isAllChecked: boolean
  readonly hasKey: boolean
  readonly onSort: (path: string, isAdded: boolean) => void
  readonly onResize: (path: string, width: number) => void
  readonly onCheckAll: (isOn: boolean) => void
}

/** The names of the columns. A click orders by one; the edge between two is dragged to resize. */
export const Header = memo((props: HeaderProps) => {
  const { id, columns, firstColumn, lead, width, sort, activeColumn, isAllChecked, hasKey, onSort, onCheckAll } = props
  return (
    <div role="row" aria-rowindex={1} className={styles['head']} style={{ width }}>
      <div role="columnheader" className={styles['gutter']} data-checked={isAllChecked || undefined}>
        <span className="visually-hidden">Row</span>
        {hasKey ? (
          <input
            type="checkbox"
            className={styles['tick']}
            aria-label="Select all loaded rows"
            tabIndex={-1}
            checked={isAllChecked}
            onChange={() => onCheckAll(!isAllChecked)}
          />
        ) : null}
      </div>
      {columns.map((column, offset) => (
        <div
          role="columnheader"
          key={column.path}
          id={`${id}--1-${firstColumn + offset}`}
          aria-colindex={firstColumn + offset + 2}
          aria-sort={orderOf(column.path, sort)}
          data-head={firstColumn + offset}
          data-active={activeColumn === firstColumn + offset || undefined}
          className={kindRows[column.kind].isAtEnd ? styles['headEnd'] : styles['headCell']}
          style={offset === 0 && lead > 0 ? { width: column.width, marginInlineStart: lead } : { width: column.width }}
          title={hintOf(column)}
          onClick={(event) => onSort(column.path, event.shiftKey)}
        >
          <Icon name={kindRows[column.kind].icon} size={13} />
          <span>{fitText(column.label, roomFor(column, sort), props.measure)}</span>
          {orderOf(column.path, sort) === 'none' ? null : (
            <Icon name={orderOf(column.path, sort) === 'descending' ? 'arrow-down' : 'arrow-up'} size={12} />
          )}
          <Edge column={column} onResize={props.onResize} />
        </div>
      ))}
    </div>
  )
})

const orderOf = (path: string, sort: readonly string[]): 'ascending' | 'descending' | 'none' => {
  if (sort.includes(path)) return 'ascending'
  return sort.includes(`-${path}`) ? 'descending' : 'none'
}

const roomFor = ({ path, width }: Column, sort: readonly string[]): number =>
  width - AROUND - (orderOf(path, sort) === 'none' ? 0 : ARROW)

const hintOf = ({ path, field: { schema, meta, type }, whyReadOnly }: Column): string =>
  [`${path} · ${schema?.data_type ?? type}`, meta?.note ?? schema?.comment, whyReadOnly]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .join('\n')

/** The edge of a column. The width is shown while it is dragged and told once, at its end. */
function Edge({ column, onResize }: { readonly column: Column; readonly onResize: HeaderProps['onResize'] }) {
  const begin = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault()
    event.stopPropagation()
    const edge = event.currentTarget
    const isRightToLeft = getComputedStyle(edge).direction === 'rtl'
    edge.setPointerCapture(event.pointerId)
    const from = event.clientX
    const widthAt = (x: number): number => clampWidth(column.width + (isRightToLeft ? from - x : x - from))
    let frame = 0
    const move = ({ clientX }: globalThis.PointerEvent): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => onResize(column.path, widthAt(clientX)))
    }
    const end = ({ clientX }: globalThis.PointerEvent): void => {
      cancelAnimationFrame(frame)
      edge.removeEventListener('pointermove', move)
      onResize(column.path, widthAt(clientX))
    }
    edge.addEventListener('pointermove', move)
    edge.addEventListener('pointerup', end, { once: true })
  }
  return (
    <i
      className={styles['edge']}
      aria-hidden="true"
      onPointerDown={begin}
      onClick={(event) => event.stopPropagation()}
    />
  )
}

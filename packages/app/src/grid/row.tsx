import { memo } from 'react'
import { kindRows } from '../model/kind.ts'
import type { Row } from '../model/key.ts'
import { cellNode, type Drawing } from './cell.tsx'
import type { Column } from './column.ts'
import type { CellState } from './writes.ts'
import styles from './grid.module.css'

interface GridRowProps {
  readonly id: string
  readonly row: Row | undefined
  readonly index: number
  readonly top: number
  readonly height: number
  readonly columns: readonly Column[]
  /** The place of the first of `columns`, and the width of those before it, which are not drawn. */
  readonly firstColumn: number
  readonly lead: number
  readonly drawing: Drawing
  readonly isChecked: boolean
  readonly isPlaceEstimated: boolean
  readonly hasKey: boolean
  /** Cells that are being written, or were refused. */
  readonly states: ReadonlyMap<string, CellState> | undefined
  /** Why the row may not belong here any more. */
  readonly isMoved: boolean
}

/** One row. It is drawn again only when its own row changes. */
export const GridRow = memo(
  ({
    id,
    row,
    index,
    top,
    height,
    columns,
    firstColumn,
    lead,
    drawing,
    isChecked,
    isPlaceEstimated,
    hasKey,
    states,
    isMoved,
  }: GridRowProps) => (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChecked}
      data-row={index}
      data-moved={isMoved || undefined}
      className={styles['row']}
      style={{ top, height, lineHeight: `${height}px` }}
    >
      <div role="gridcell" className={styles['gutter']}>
        <span className={styles['number']}>{`${isPlaceEstimated ? '≈ ' : ''}${index + 1}`}</span>
        {hasKey ? (
          <input
            type="checkbox"
            className={styles['tick']}
            aria-label={`Select row ${index + 1}`}
            tabIndex={-1}
            checked={isChecked}
            readOnly
          />
        ) : null}
      </div>
      {columns.map((column, offset) => (
        <div
          role="gridcell"
          key={column.path}
          id={`${id}-${index}-${firstColumn + offset}`}
          aria-colindex={firstColumn + offset + 2}
          data-col={firstColumn + offset}
          data-kind={column.kind}
          data-counted={column.counted !== undefined || undefined}
          data-state={states?.get(column.path)}
          aria-invalid={isRefused(states?.get(column.path)) || undefined}
          className={kindRows[column.kind].isAtEnd ? styles['end'] : styles['cell']}
          style={offset === 0 && lead > 0 ? { width: column.width, marginInlineStart: lead } : { width: column.width }}
        >
          {row === undefined ? <Bone index={index + offset} /> : cellNode(column, row, drawing)}
        </div>
      ))}
    </div>
  ),
)

const isRefused = (state: CellState | undefined): boolean => state === 'refused' || state === 'conflict'

/** A grey line where a value will be. */
const Bone = ({ index }: { readonly index: number }) => <i className={styles['bone']} data-length={index % 3} />

import type { Row } from '../model/key.ts'
import type { Column } from './column.ts'
import type { RowSource } from './row-source.ts'
import type { Selection } from './selection.ts'

export interface GridProps {
  readonly source: RowSource
  readonly columns: readonly Column[]
  readonly rowHeight: 28 | 34 | 46
  readonly sort: readonly string[]
  readonly onSort: (path: string, isAdded: boolean) => void
  readonly onOpen: (row: Row) => void
  /** Opens the rows that a count stands for. */
  readonly onList?: (column: Column, row: Row) => void
  readonly onPeek?: (row: Row) => void
  readonly onResize: (path: string, width: number) => void
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  /** The name of the grid, read aloud. */
  readonly label: string
  readonly isEditable: boolean
  readonly onQuickFilter?: (path: string, value: unknown, isExcluded: boolean) => void
}

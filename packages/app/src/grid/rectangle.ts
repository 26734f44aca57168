/** A cell by its row and column. Row -1 is the header. */
export interface Place {
  readonly row: number
  readonly column: number
}

/** What is selected: from the anchor, where it began, to the active cell. */
export interface Range {
  readonly anchor: Place
  readonly active: Place
}

/** All edges are inside. */
export interface Rectangle {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export const HEADER = -1

export const at = (row: number, column: number): Range => ({ anchor: { row, column }, active: { row, column } })

export const rectangleOf = ({ anchor, active }: Range): Rectangle => ({
  top: Math.min(anchor.row, active.row),
  bottom: Math.max(anchor.row, active.row),
  left: Math.min(anchor.column, active.column),
  right: Math.max(anchor.column, active.column),
})

export const isOneCell = ({ anchor, active }: Range): boolean =>
  anchor.row === active.row && anchor.column === active.column

export const sizeOf = ({
  top,
  bottom,
  left,
  right,
}: Rectangle): { readonly rows: number; readonly columns: number } => ({
  rows: bottom - top + 1,
  columns: right - left + 1,
})

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

/** Moves the active cell by rows and columns, as far as the sheet goes. Extending leaves the anchor where it is. */
export function moved(
  range: Range,
  by: { readonly rows: number; readonly columns: number },
  bounds: { readonly rows: number; readonly columns: number },
  isExtending: boolean,
): Range {
  const isAtTop = !isExtending && by.rows === -1 && range.active.row === 0
  const least = isAtTop || (range.active.row === HEADER && by.rows <= 0) ? HEADER : 0
  const active = {
    row: within(range.active.row + by.rows, least, Math.max(0, bounds.rows - 1)),
    column: within(range.active.column + by.columns, 0, Math.max(0, bounds.columns - 1)),
  }
  return { active, anchor: isExtending ? range.anchor : active }
}

/** Moves both ends by rows: everything in view was put elsewhere. */
export const shiftedBy = ({ anchor, active }: Range, rows: number): Range => ({
  anchor: { ...anchor, row: Math.max(HEADER, anchor.row + rows) },
  active: { ...active, row: Math.max(HEADER, active.row + rows) },
})

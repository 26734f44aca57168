/** How high the rows of lists are, in pixels. */
export const rowHeights = { compact: 28, normal: 34, roomy: 46 } as const
export type RowHeight = keyof typeof rowHeights

export const rowHeightNames = Object.keys(rowHeights) as readonly RowHeight[]

export const rowHeightLabels: Readonly<Record<RowHeight, string>> = {
  compact: 'Compact',
  normal: 'Normal',
  roomy: 'Roomy',
}

const PLACE = 'tain.rows'

/** What lists open with in this browser, unless their view says otherwise. */
export function chosenRowHeight(): RowHeight {
  const stored = localStorage.getItem(PLACE)
  return rowHeightNames.find((each) => each === stored) ?? 'normal'
}

export const chooseRowHeight = (height: RowHeight): void => localStorage.setItem(PLACE, height)

import type { Column } from './column.ts'

/** Beyond this many columns only those in view are drawn. */
const ALL = 30

export interface DrawnColumns {
  readonly columns: readonly Column[]
  readonly first: number
  /** The width of the columns before the first. */
  readonly lead: number
}

/** Where each column begins, and at last where the sheet ends. */
export const edgesOf = (columns: readonly Column[], gutter: number): readonly number[] => {
  const edges = [gutter]
  for (const { width } of columns) edges.push((edges.at(-1) ?? 0) + width)
  return edges
}

/** The columns that a part of the width shows, with some to both sides. */
export function drawnColumns(
  columns: readonly Column[],
  edges: readonly number[],
  left: number,
  width: number,
): DrawnColumns {
  if (columns.length <= ALL) return { columns, first: 0, lead: 0 }
  const beyond = width / 2
  let first = 0
  while (first < columns.length - 1 && (edges[first + 1] ?? 0) < left - beyond) first += 1
  let last = first
  while (last < columns.length && (edges[last] ?? 0) < left + width + beyond) last += 1
  return { columns: columns.slice(first, last), first, lead: (edges[first] ?? 0) - (edges[0] ?? 0) }
}

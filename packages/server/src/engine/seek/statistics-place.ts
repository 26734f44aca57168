import type { ColumnStatistics, Knot } from '../../sql/distribution.ts'

/** A row: so many rows after the first one with a value. */
export interface ValuePlace {
  readonly text: string
  readonly offset: number
}

/**
 * The place of a share among the values of a column; null if it lies among the nulls, which sort as the largest value.
 */
export function placeOfShare(
  { knots, rows }: ColumnStatistics,
  share: number,
  isDescending: boolean,
): ValuePlace | null {
  const before = ({ below, equal }: Knot) => (isDescending ? 1 - below - equal : below)
  const knot = isDescending
    ? knots.find((entry) => before(entry) <= share)
    : knots.findLast((entry) => before(entry) <= share)
  return knot === undefined ? null : { text: knot.text, offset: Math.round((share - before(knot)) * rows) }
}

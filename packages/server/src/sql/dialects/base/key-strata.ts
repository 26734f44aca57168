import type { Row } from '../../driver.ts'
import type { SampledKey } from '../../distribution.ts'

/** Places on a line, one for each value of a key, in the order of the key. */
export interface KeyLine {
  readonly placeOf: (row: Row) => bigint
  readonly keyOf: (row: Row) => Row
}

/** The rows on both sides of a place: the last one before it, and up to ROWS from it on. */
export interface Neighbours {
  readonly before: Row | null
  readonly from: readonly Row[]
}

export type FindNeighbours = (places: readonly bigint[]) => Promise<readonly Neighbours[]>

/** Rows that are read at each place. Their distances tell how dense the rows are there. */
export const ROWS = 16

/** How many places are searched in each round, and the largest share of the rows that a part may have after it. */
export interface Rounds {
  readonly places: readonly number[]
  readonly largest: number
}

/** Many places at once, for searches that find their row by an index alone. */
export const wide: Rounds = { places: [192, 192, 192, 192], largest: 1 / 64 }

/**
 * Few places at first, for searches that pass rows which do not count. Each gap between rows that do is passed once:
 * later places lie in parts whose first and last row are known.
 */
export const narrowing: Rounds = { places: [1, 2, 4, 8, 16, 32, 64], largest: 1 / 128 }

/** A part of the line between two rows, with the first rows in it. */
interface Stratum {
  readonly first: bigint
  readonly last: bigint
  readonly rows: readonly Row[]
  readonly estimate: number
}

/**
 * Samples a table by its key: the line of keys is divided into parts of equal length, the first rows of each part are
 * read, and their density gives the rows of the part. Where keys have gaps or are dense in places, heavy parts are
 * divided again, from their first to their last row, so that gaps between parts cost nothing.
 */
export async function sampleStrata(
  ends: { readonly from: readonly Row[]; readonly last: Row },
  line: KeyLine,
  findNeighbours: FindNeighbours,
  { places, largest }: Rounds = wide,
): Promise<SampledKey[]> {
  let strata = [stratumOf(ends.from, line.placeOf(ends.last), line)].flatMap((whole) => whole ?? [])
  for (const count of places) {
    const most = largest * sumOf(strata)
    const heavy = strata
      .filter(({ first, last, rows, estimate }) => last > first && estimate > rows.length && estimate > most)
      .toSorted((a, b) => b.estimate - a.estimate)
      .slice(0, count)
    if (heavy.length === 0) break
    const divided = await divide(heavy, count, line, findNeighbours)
    strata = strata.flatMap((stratum) => divided.get(stratum) ?? [stratum])
  }
  return strata.flatMap(({ rows, estimate }) =>
    rows.map((row) => ({ key: line.keyOf(row), weight: estimate / rows.length })),
  )
}

const sumOf = (strata: readonly Stratum[]) => strata.reduce((sum, { estimate }) => sum + estimate, 0)

/** The part that begins with these rows; null if its first row is behind its end. */
function stratumOf(from: readonly Row[], last: bigint, { placeOf }: KeyLine): Stratum | null {
  const rows = from.filter((row) => placeOf(row) <= last)
  const [row] = rows
  const end = rows.at(-1)
  if (row === undefined || end === undefined) return null
  const first = placeOf(row)
  const span = placeOf(end) - first
  // Fewer rows than were asked for, or a row behind the end: these are all.
  const isWhole = rows.length < ROWS || span <= 0n
  const estimate = isWhole ? 0 : 1 + ((rows.length - 1) * Number(last - first)) / Number(span)
  return { first, last, rows, estimate: Math.max(estimate, rows.length) }
}

async function divide(
  heavy: readonly Stratum[],
  count: number,
  line: KeyLine,
  findNeighbours: FindNeighbours,
): Promise<ReadonlyMap<Stratum, readonly Stratum[]>> {
  const total = sumOf(heavy)
  const plans = heavy.map((stratum) => ({
    stratum,
    places: placesIn(stratum, Math.max(1, Math.floor((count * stratum.estimate) / total))),
  }))
  const places = plans.flatMap((plan) => plan.places).slice(0, count)
  const found = await findNeighbours(places)
  let at = 0
  return new Map(
    plans.map((plan): [Stratum, readonly Stratum[]] => {
      const own = found.slice(at, at + plan.places.length)
      at += plan.places.length
      return [plan.stratum, partsOf(plan.stratum, own, line)]
    }),
  )
}

/** Places that divide a part into parts of equal length. */
function placesIn({ first, last }: Stratum, count: number): bigint[] {
  const width = last - first
  const most = width < BigInt(count) ? Number(width) : count
  return Array.from({ length: most }, (_, index) => first + (width * BigInt(index + 1)) / BigInt(most + 1) + 1n)
}

function partsOf(whole: Stratum, found: readonly Neighbours[], line: KeyLine): readonly Stratum[] {
  const { placeOf } = line
  const starts = [whole.rows, ...found.map(({ from }) => from)]
  const ends = [...found.map(({ before }) => (before === null ? whole.first : placeOf(before))), whole.last]
  return starts.flatMap((from, index) => stratumOf(from, ends[index] ?? whole.last, line) ?? [])
}

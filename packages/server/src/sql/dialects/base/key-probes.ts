import { constant } from '../../bind.ts'
import type { Dialect, TypedColumn } from '../../dialect.ts'
import type { Ask, Distribution, SampledKey, SampledRows, SampledTable } from '../../distribution.ts'
import type { Row } from '../../driver.ts'
import { allOf, column, list, sql, table as tableNamed, yes, type Sql } from '../../sql.ts'
import { tuplePlaces, type PlacesOf } from './key-places.ts'
import { narrowing, ROWS, sampleStrata, wide, type Neighbours, type Rounds } from './key-strata.ts'

/** A column that rows are found by: it is the first, second, … of an index. */
export interface ProbedColumn {
  readonly value: Sql
  readonly text: Sql
  /** A value of the column from its text. */
  readonly operand: (text: Sql) => Sql
  /** Its places between the texts of the first and the last row; null if it has none. */
  readonly placesFrom: (first: string, last: string) => PlacesOf | null
}

/** Finds the columns of a key in the rows of an alias. */
export type ProbedBy = (table: SampledTable, alias: string) => readonly ProbedColumn[] | null

/** A column of a key, compared and printed like in a cursor. */
function probedKey(
  { cursor, operandOf }: Pick<Dialect, 'cursor' | 'operandOf'>,
  stored: TypedColumn,
  alias: string,
  placesFrom: ProbedColumn['placesFrom'],
): ProbedColumn {
  const value = column(alias, stored.name)
  return {
    value,
    text: cursor.text(value, stored),
    operand: (text) => cursor.value(text, operandOf(stored)),
    placesFrom,
  }
}

/** Samples rows by the columns of an index, with a few statements of many short searches. */
export async function sampleByProbes(
  { key }: SampledTable,
  { alias, from, where: counts }: SampledRows,
  probed: readonly ProbedColumn[],
  rounds: Rounds,
  ask: Ask,
): Promise<readonly SampledKey[] | null> {
  const columns = [...probed.map(({ text }) => text), ...key.map(({ name }) => column(alias, name))]
  const shown = list(columns.map((value, index) => sql`${value} as ${sql.id(`c${index}`)}`))
  const order = (isBackward: boolean) => list(probed.map(({ value }) => (isBackward ? sql`${value} desc` : value)))
  const search = (branch: number, where: Sql, isBackward: boolean) => {
    const most = sql.lit(isBackward ? 1 : ROWS)
    return sql`select * from (select ${sql.lit(branch)} as n, ${shown} from ${from} where ${allOf([where, counts])} order by ${order(isBackward)} limit ${most}) as ${sql.id(`s${branch}`)}`
  }
  const run = async (searches: readonly Sql[]): Promise<readonly (readonly Row[])[]> => {
    const rows = await ask(list(searches, sql` union all `))
    const found = searches.map((): Row[] => [])
    for (const [n, ...row] of rows) found[Number(n)]?.push(row)
    return found
  }

  const [first = [], [last] = []] = await run([search(0, yes, false), search(1, yes, true)])
  const places = probed.flatMap(
    ({ placesFrom }, index) => placesFrom(first[0]?.[index] ?? '', last?.[index] ?? '') ?? [],
  )
  if (last === undefined || places.length < probed.length) return null
  const { placeOf, textsAt } = tuplePlaces(places)
  const findNeighbours = async (wanted: readonly bigint[]): Promise<readonly Neighbours[]> => {
    const searches = wanted.flatMap((place, index) => {
      const texts = textsAt(place)
      return [
        search(index * 2, beside(probed, texts, 'before'), true),
        search(index * 2 + 1, beside(probed, texts, 'from'), false),
      ]
    })
    const found = await run(searches)
    return wanted.map((_, index) => ({ before: found[index * 2]?.[0] ?? null, from: found[index * 2 + 1] ?? [] }))
  }
  const line = { placeOf, keyOf: (row: Row) => row.slice(probed.length) }
  return sampleStrata({ from: first, last }, line, findNeighbours, rounds)
}

/**
 * Rows before a place or from it on: `a >= x and (a > x or b >= y)`. The first comparison can use an index.
 */
function beside(probed: readonly ProbedColumn[], texts: readonly string[], side: 'before' | 'from'): Sql {
  const [strictly, orEqual] = side === 'before' ? [sql`<`, sql`<=`] : [sql`>`, sql`>=`]
  return (
    probed.reduceRight<Sql | null>((rest, { value, operand }, index) => {
      const at = operand(constant(texts[index] ?? ''))
      if (rest === null) return sql`${value} ${side === 'before' ? strictly : orEqual} ${at}`
      return sql`${value} ${orEqual} ${at} and (${value} ${strictly} ${at} or ${rest})`
    }, null) ?? sql`true`
  )
}

const ALIAS = 't'

/** All rows of a table. */
const everyRow = ({ schema, table }: SampledTable): SampledRows => ({
  alias: ALIAS,
  from: sql`${tableNamed(schema, table)} as ${sql.id(ALIAS)}`,
  where: yes,
})

/** Samples of a table by the columns of its key. */
export const probesBy = (probedBy: ProbedBy): Pick<Distribution, 'sampleOf' | 'sampleWithin'> => ({
  sampleOf: async (table, ask) => {
    const probed = probedBy(table, ALIAS)
    return probed === null ? null : sampleByProbes(table, everyRow(table), probed, wide, ask)
  },
  sampleWithin: async (table, rows, ask) => {
    const probed = probedBy(table, rows.alias)
    return probed === null ? null : sampleByProbes(table, rows, probed, narrowing, ask)
  },
})

/** The columns of a key, if all of them have places. */
export const probedKeys =
  (
    dialect: Pick<Dialect, 'cursor' | 'operandOf'>,
    placesOf: (stored: TypedColumn) => ProbedColumn['placesFrom'] | null,
  ): ProbedBy =>
  ({ kind, key }, alias) => {
    const probed = key.flatMap((stored) => {
      const places = placesOf(stored)
      return places === null ? [] : [probedKey(dialect, stored, alias, places)]
    })
    const isTable = kind === 'table' || kind === 'partitioned'
    return !isTable || probed.length === 0 || probed.length < key.length ? null : probed
  }

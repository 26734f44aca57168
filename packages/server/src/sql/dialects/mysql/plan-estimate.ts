import type { PlanEstimate } from '../../dialect.ts'
import { sql } from '../../sql.ts'

type Node = Readonly<Record<string, unknown>>

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Parts of a plan that add no rows to the ones of the select. */
export const besides = /subqueries|materialized/u

/** The tables that the select joins, in order. */
export function tablesIn(plan: unknown): readonly Node[] {
  if (!isNode(plan)) return []
  return Object.entries(plan).flatMap(([name, part]) => {
    if (besides.test(name)) return []
    return name === 'table' && isNode(part) ? [part] : tablesIn(part)
  })
}

/** Rows that are read for each row of the tables before, by the names of both servers. */
export const rowsOf = (table: Node) => Number(table['rows'] ?? table['rows_examined_per_scan'] ?? 0)
const shareOf = (table: Node) => Number(table['filtered'] ?? 100) / 100

/** A row that only has to exist does not multiply the others. */
export const factorOf = (table: Node) => {
  const rows = rowsOf(table) * shareOf(table)
  return table['first_match'] === undefined ? rows : Math.min(1, rows)
}

export const planEstimate: PlanEstimate = {
  explain: (select) => sql`explain format=json ${select}`,
  read: ([row]) => {
    const tables = tablesIn(JSON.parse(row?.[0] ?? '{}'))
    // A condition that is never true leaves no table.
    return tables.length === 0 ? 0 : Math.round(tables.reduce((product, table) => product * factorOf(table), 1))
  },
  // Without an index or a histogram, every row is expected to meet a condition.
  knowsValues: false,
}

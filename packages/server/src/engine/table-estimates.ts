import type { Collection } from '../schema/schema.ts'
import type { Database } from '../sql/database.ts'

/** The estimated number of rows of tables, from the statistics of the database; views and unknown tables have none. */
export type TableEstimates = (collection: Pick<Collection, 'schema' | 'table'>) => number | null

/** Statistics change slowly, and reading them for thousands of tables takes long on some databases. */
const LIFETIME = 30_000

const nothing: TableEstimates = () => null

/** Reads the estimates of all tables at once; calls within the lifetime share one read. */
export function createTableEstimates({ driver, dialect }: Database): () => Promise<TableEstimates> {
  let current: Promise<TableEstimates> | null = null
  let until = 0

  async function read(): Promise<TableEstimates> {
    if (dialect.tableEstimates === null) return nothing
    const rows = await driver.query(dialect.tableEstimates)
    const found = new Map(rows.map(([schema, table, count]) => [keyOf(schema ?? '', table ?? ''), Number(count)]))
    return ({ schema, table }) => found.get(keyOf(schema, table)) ?? null
  }

  return () => {
    if (current !== null && performance.now() < until) return current
    until = performance.now() + LIFETIME
    const reading = read().catch((error: unknown) => {
      if (current === reading) current = null
      throw error
    })
    current = reading
    return reading
  }
}

const keyOf = (schema: string, table: string) => JSON.stringify([schema, table])

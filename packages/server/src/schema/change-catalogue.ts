import { createHash } from 'node:crypto'
import { parseExactJson } from '../lib/exact-json.ts'
import { run, type Database } from '../sql/database.ts'
import type { Query } from '../sql/sql.ts'
import type { Catalogue } from './change.ts'
import type { SchemaCache } from './schema-cache.ts'

/** Reads from the database what a schema change needs beyond the mirror. */
export function createCatalogue(
  database: Database,
  schemaCache: Pick<SchemaCache, 'metadata' | 'schemaWith'>,
  rowsOf: (table: string) => Query,
): Catalogue {
  const { schemaDriver: driver, ddl, dialect, serviceTables } = database
  return {
    nameLength: ddl.nameLength,
    reservedColumns: ddl.reservedColumns,
    nativeType: ddl.nativeType,
    described: ddl.described,

    async indexes(table) {
      const rows = await driver.query(ddl.indexes(table))
      return rows.map(([name, columns, isUnique, isConstraint, isPrimary]) => ({
        name: name ?? '',
        columns: JSON.parse(columns ?? '[]') as string[],
        isUnique: isUnique === 't',
        isConstraint: isConstraint === 't',
        isPrimary: isPrimary === 't',
      }))
    },

    async rows(table) {
      const [row] = await run(rowsOf(table), driver, dialect)
      return parseExactJson(row?.[0] ?? '[]') as Readonly<Record<string, unknown>>[]
    },

    cells({ schema, table, key }, columns) {
      const order = key.map(({ name }) => name)
      return run(serviceTables.cells(schema, table, columns, order), driver, dialect)
    },

    async count({ schema, table }) {
      const [row] = await run(serviceTables.count(schema, table), driver, dialect)
      return Number(row?.[0] ?? 0)
    },

    metadata: schemaCache.metadata,
    schemaWith: schemaCache.schemaWith,

    async freeName(table, column, suffix) {
      const base = shortened(`${table.table}_${column}`, ddl.nameLength - suffix.length - 4)
      const candidates = ['', '_2', '_3', '_4', '_5', '_6', '_7', '_8'].map((end) => `${base}_${suffix}${end}`)
      const taken = new Set((await driver.query(ddl.taken(table.schema, candidates))).map(([name]) => name))
      return candidates.find((name) => !taken.has(name)) ?? `${base.slice(0, 30)}_${Date.now().toString(36)}_${suffix}`
    },
  }
}

/** Truncates a name that is too long and appends a hash of the whole name, so that different names stay different. */
function shortened(name: string, most: number): string {
  if (Buffer.byteLength(name) <= most) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  // A multi-byte character that is cut at the end decodes to U+FFFD, which is removed.
  const cut = new TextDecoder().decode(Buffer.from(name).subarray(0, most - digest.length - 1)).replace(/\uFFFD$/u, '')
  return `${cut}_${digest}`
}

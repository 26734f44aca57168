import { LRUCache } from 'lru-cache'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import { bindValues, type Compiled } from '../../sql/compile.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { Row, Transaction } from '../../sql/driver.ts'
import type { Sql } from '../../sql/sql.ts'

const SHAPES = 1000

/** Runs statements of the write path; each shape is compiled and named once. */
export interface WriteStatements {
  readonly dialect: Dialect
  /** `key` is the same for the same text; `values` are the binds by slot. */
  run(key: string, build: () => Sql, values: readonly string[], transaction: Transaction): Promise<readonly Row[]>
}

export function createWriteStatements(dialect: Dialect): WriteStatements {
  const cache = new LRUCache<string, Compiled & { readonly name: string }>({ max: SHAPES })
  let count = 0
  return {
    dialect,
    run(key, build, values, transaction) {
      let compiled = cache.get(key)
      if (compiled === undefined) {
        count += 1
        compiled = { ...dialect.compile(build()), name: `w${count}` }
        cache.set(key, compiled)
      }
      const { text, binds, name } = compiled
      return transaction.query({ text, values: bindValues(binds, (slot) => values[slot]), name })
    },
  }
}

/** What tells shapes apart: the table and, per column, its name and type. */
export const shapeOf = ({ schema, table }: Collection, fields: readonly ColumnField[]): string =>
  JSON.stringify([schema, table, fields.map(({ name, column }) => [name, column.castType])])

/** Rows as one JSON list of objects, with columns named by position. Cells are JSON already. */
export const recordset = (rows: readonly (readonly string[])[]): string =>
  `[${rows.map((cells) => `{${cells.map((cell, index) => `"f${index}":${cell}`).join(',')}}`).join(',')}]`

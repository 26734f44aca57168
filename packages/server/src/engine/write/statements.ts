import { LRUCache } from 'lru-cache'
import { between, writeSteps, type Failpoints, type WriteStep } from '../../lib/failpoint.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import { bindValues, type Compiled } from '../../sql/compile.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { Row, Transaction } from '../../sql/driver.ts'
import type { Sql } from '../../sql/sql.ts'

const SHAPES = 1000

/** Begins with what the statement does, and goes on with what tells shapes of it apart. */
export type StatementKey = WriteStep | `${WriteStep} ${string}`

/** Runs statements of the write path; each shape is compiled and named once. */
export interface WriteStatements {
  readonly dialect: Dialect
  /** `key` is the same for the same text; `values` are the binds by slot. */
  run(key: StatementKey, build: () => Sql, values: readonly string[], transaction: Transaction): Promise<readonly Row[]>
}

const stepOf = (key: StatementKey): WriteStep =>
  writeSteps.find((step) => key === step || key.startsWith(`${step} `)) ?? 'read'

export function createWriteStatements(dialect: Dialect, failpoints: Failpoints | null): WriteStatements {
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
      const send = () => transaction.query({ text, values: bindValues(binds, (slot) => values[slot]), name })
      if (failpoints === null) return send()
      const step = stepOf(key)
      return between(failpoints, `write.before-${step}`, `write.after-${step}`, send)
    },
  }
}

/** What tells shapes apart: the table and, per column, its name and type. */
export const shapeOf = ({ schema, table }: Collection, fields: readonly ColumnField[]): string =>
  JSON.stringify([schema, table, fields.map(({ name, column }) => [name, column.castType])])

/** Rows as one JSON list of objects, with columns named by position. Cells are JSON already. */
export const recordset = (rows: readonly (readonly string[])[]): string =>
  `[${rows.map((cells) => `{${cells.map((cell, index) => `"f${index}":${cell}`).join(',')}}`).join(',')}]`

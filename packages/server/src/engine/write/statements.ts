import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isRuleConstant, type RuleConstant, type Parameter } from '../../lib/parameter.ts'
import { ruleConstant, type Variables } from '../../query/variables.ts'
import { between, writeSteps, type Failpoints, type WriteStep } from '../../lib/failpoint.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import { bindValues, type Compiled } from '../../sql/compile.ts'
import { runSteps } from '../../sql/database.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { Row, Transaction } from '../../sql/driver.ts'
import { stepsOf, type Steps } from '../../sql/sql.ts'

const SHAPES = 1000
/** Maximum number of characters of all cached statements. */
const MOST_TEXT = 16 * 1024 ** 2

/** Starts with the step; the rest distinguishes the statement shapes of that step. */
export type StatementKey = WriteStep | `${WriteStep} ${string}`

/** Runs statements of the write path. Each shape is compiled and named once. */
export interface WriteStatements {
  readonly dialect: Dialect
  /** Equal keys stand for equal statement texts; `values` are the values by parameter. */
  run(
    key: StatementKey,
    build: () => Steps,
    values: readonly string[],
    transaction: Transaction,
    /** Variables for the rule constants; required if the statement has any. */
    variables?: Variables,
  ): Promise<readonly Row[]>
}

const stepOf = (key: StatementKey): WriteStep =>
  writeSteps.find((step) => key === step || key.startsWith(`${step} `)) ?? 'read'

export function createWriteStatements(dialect: Dialect, failpoints: Failpoints | null): WriteStatements {
  const cache = new LRUCache<string, readonly (Compiled & { readonly name: string })[]>({
    max: SHAPES,
    maxSize: MOST_TEXT,
    sizeCalculation: (steps, key) => key.length + steps.reduce((sum, { text }) => sum + text.length, 0),
  })
  let count = 0
  return {
    dialect,
    run(key, build, values, transaction, variables) {
      let compiled = cache.get(key)
      if (compiled === undefined) {
        compiled = stepsOf(build()).map((step) => {
          count += 1
          return { ...dialect.compile(step), name: `w${count}` }
        })
        cache.set(key, compiled)
      }
      const valueOf = (parameter: Parameter) =>
        isRuleConstant(parameter) ? ruleConstantOf(parameter, variables) : values[parameter]
      const statements = compiled.map(({ text, binds, name }) => ({ text, values: bindValues(binds, valueOf), name }))
      const send = () => runSteps(statements, transaction)
      if (failpoints === null) return send()
      const step = stepOf(key)
      return between(failpoints, `write.before-${step}`, `write.after-${step}`, send)
    },
  }
}

function ruleConstantOf(parameter: RuleConstant, variables: Variables | undefined): unknown {
  if (variables === undefined) throw new TypeError('a statement with rules was run without a caller')
  return ruleConstant(parameter, variables)
}

/** Identifies a statement shape: the table with its current schema, and the columns involved. */
export const statementKey = (collection: Collection, fields: readonly ColumnField[]): string =>
  JSON.stringify([collection.schema, collection.table, structureOf(collection), fields.map(({ name }) => name)])

const structures = new WeakMap<Collection, string>()

/** Statements can name every column of a table: for the row version, or for a revision of the row. */
function structureOf(collection: Collection): string {
  const known = structures.get(collection)
  if (known !== undefined) return known
  const { kind, isWhollyReadable, columns } = collection
  const stored = [...columns].map(([name, { column, type }]) => [name, type, column])
  const made = hash('sha256', JSON.stringify([kind, isWhollyReadable, stored]), 'base64url').slice(0, 22)
  structures.set(collection, made)
  return made
}

/** Rows as one JSON list of objects, with columns named by position. Cells are JSON already. */
export const recordset = (rows: readonly (readonly string[])[]): string =>
  `[${rows.map((cells) => `{${cells.map((cell, index) => `"f${index}":${cell}`).join(',')}}`).join(',')}]`

import type { Driver, Row, Statement, Transaction } from './driver.ts'
import type { DatabaseSchema } from './database-schema.ts'
import { bindValues } from './compile.ts'
import type { Dialect } from './dialect.ts'
import type { ServiceTables } from './service-tables.ts'
import type { Sql } from './sql.ts'

/** A connected database: how it is spoken to, and the connections to speak over. */
export interface Database {
  readonly dialect: Dialect
  readonly driver: Driver
  readonly serviceTables: ServiceTables
  readonly introspect: (
    query: (statement: Statement) => Promise<readonly Row[]>,
    scope: { systemSchema: string; schemas: readonly string[] | null },
  ) => Promise<DatabaseSchema>
}

const noValue = (): never => {
  throw new TypeError('a statement without a request has no values')
}

/** A statement whose binds are all known. */
export function statementOf(fragment: Sql, { compile }: Dialect): Statement {
  const { text, binds } = compile(fragment)
  return { text, values: bindValues(binds, noValue) }
}

export const run = (fragment: Sql, runner: Transaction | Driver, dialect: Dialect): Promise<readonly Row[]> =>
  runner.query(statementOf(fragment, dialect))

import type { Parameter } from '../lib/parameter.ts'
import type { DatabaseError, Driver, Row, Statement, Transaction } from './driver.ts'
import type { DatabaseSchema } from './database-schema.ts'
import { bindValues } from './compile.ts'
import type { DdlStatements } from './ddl.ts'
import type { Dialect } from './dialect.ts'
import type { GuardStatements } from './guards.ts'
import type { IdentityStatements, SessionStatements } from './identity.ts'
import type { LoginFailureStatements } from './login-failures.ts'
import type { OneTimeStatements } from './one-time.ts'
import type { ServiceTables } from './service-tables.ts'
import { stepsOf, type Sql, type Steps } from './sql.ts'

/** Where a database is, and how patient its callers are. */
export interface ConnectOptions {
  readonly url: string
  readonly poolMax: number
  /** Milliseconds, as all timeouts here. */
  readonly acquireTimeout: number
  readonly statementTimeout: number
  readonly lockTimeout: number
  readonly connectTimeout: number
  /** Statements kept prepared on each connection; 0 names none, for PgBouncer in transaction mode. */
  readonly preparedStatements: number
  readonly applicationName: string
  /** Sees every statement sent; for tests. */
  readonly onStatement?: (statement: Statement) => void
}

/** Why a connection cannot come about until an operator changes something. */
export type ConnectionRefusal = 'database' | 'credentials' | 'file'

/** What of a database is mirrored. */
export interface MirrorScope {
  readonly systemSchema: string
  /** null mirrors every schema that may be used. */
  readonly schemas: readonly string[] | null
  /** Names of the service's own collections, for where they stand beside everybody's. */
  readonly ownTables: readonly string[]
}

/** A connected database: how it is spoken to, and the connections to speak over. */
export interface Database {
  /** What kind of database it is: a name to show and to compare, never to decide by. */
  readonly vendor: string
  /** The schema of the service's own tables: the one that was asked for, where the database has schemas to choose from. */
  readonly systemSchema: (wanted: string) => string
  readonly dialect: Dialect
  readonly driver: Driver
  /** The refusal behind a failed connection; null where waiting may help. */
  readonly refusalOf: (error: DatabaseError) => ConnectionRefusal | null
  /** Connections of their own for changing the structure: statements may take long, but wait only briefly for locks. */
  readonly schemaDriver: Driver
  /** For statements that keep nobody waiting, and so may wait themselves. */
  readonly backgroundDriver: Driver
  /** What only the dialect itself asks over; closed with the others. */
  readonly ownDrivers?: readonly Driver[]
  readonly ddl: DdlStatements
  readonly serviceTables: ServiceTables
  readonly identity: IdentityStatements
  readonly sessions: SessionStatements
  readonly loginFailures: LoginFailureStatements
  readonly oneTime: OneTimeStatements
  readonly guards: GuardStatements
  readonly introspect: (
    query: (statement: Statement) => Promise<readonly Row[]>,
    scope: MirrorScope,
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

/** A statement whose binds are texts by their slots. */
export function runWith(
  steps: Steps,
  values: readonly (string | null)[],
  runner: Transaction | Driver,
  dialect: Dialect,
): Promise<readonly Row[]> {
  const valueOf = (parameter: Parameter) => (typeof parameter === 'number' ? values[parameter] : null)
  return runSteps(
    stepsOf(steps).map((step) => {
      const { text, binds } = dialect.compile(step)
      return { text, values: bindValues(binds, valueOf) }
    }),
    runner,
  )
}

export const run = (steps: Steps, runner: Transaction | Driver, dialect: Dialect): Promise<readonly Row[]> =>
  runSteps(
    stepsOf(steps).map((step) => statementOf(step, dialect)),
    runner,
  )

/** Statements that belong together, one after another on one connection; gives the rows of all of them. */
export async function runSteps(
  statements: readonly Statement[],
  runner: Transaction | Driver,
): Promise<readonly Row[]> {
  const [only] = statements
  if (only !== undefined && statements.length === 1) return runner.query(only)
  if ('transaction' in runner) return runner.transaction((transaction) => runSteps(statements, transaction))
  const rows: Row[] = []
  for (const statement of statements) rows.push(...(await runner.query(statement)))
  return rows
}

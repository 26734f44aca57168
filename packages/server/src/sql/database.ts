import type { Parameter } from '../lib/parameter.ts'
import type { DatabaseError, Driver, Row, Statement, Transaction } from './driver.ts'
import type { DatabaseSchema } from './database-schema.ts'
import { bindValues } from './compile.ts'
import type { DdlStatements } from './ddl.ts'
import type { DiagnosisStatements } from './diagnosis.ts'
import type { ShopStatements } from './demo/shop-tables.ts'
import type { Dialect } from './dialect.ts'
import type { Distribution } from './distribution.ts'
import type { DeliveryStatements } from './service/deliveries.ts'
import type { CursorStatements } from './service/cursors.ts'
import type { GuardStatements } from './service/guards.ts'
import type { IdentityStatements } from './service/identity.ts'
import type { SessionStatements } from './service/sessions.ts'
import type { LeaseStatements } from './service/leases.ts'
import type { LoginFailureStatements } from './service/login-failures.ts'
import type { OutsideSource } from './outside.ts'
import type { OneTimeStatements } from './service/one-time.ts'
import type { RemovalStatements } from './service/removal.ts'
import type { ServiceTables } from './service/service-tables.ts'
import type { EventStatements } from './service/events.ts'
import type { UploadStatements } from './service/uploads.ts'
import type { WatchStatements } from './service/watch.ts'
import { stepsOf, type Query, type Steps } from './sql.ts'

/** Whether statements go to PostgreSQL in messages that this service encodes, or through the driver's interface. */
export type PostgresProtocol = 'direct' | 'driver'

/** Connection settings: address, pool size and timeouts. */
export interface ConnectOptions {
  readonly url: string
  readonly poolMax: number
  /** Most statements that wait for a connection; ten for each of them by default. */
  readonly queueMax?: number
  /** In milliseconds, like all timeouts here. */
  readonly acquireTimeout: number
  readonly statementTimeout: number
  readonly lockTimeout: number
  readonly connectTimeout: number
  /** Prepared statements kept on each connection. 0 disables them, for PgBouncer in transaction mode. */
  readonly preparedStatements: number
  /** 'direct' by default. */
  readonly postgresProtocol?: PostgresProtocol
  readonly applicationName: string
  /** The database itself refuses every write on these connections. False by default. */
  readonly isReadOnly?: boolean
  /** Servers that follow the primary and take reads; none by default. */
  readonly readersUrl?: string
  /** Called after every commit of requests with the position of the log then; null: the server did not tell it. */
  readonly onCommit?: ((position: string | null) => void) | undefined
  /** Called with every statement that is sent; for tests. */
  readonly onStatement?: (statement: Statement) => void
}

/** Why connecting fails until an operator changes something. */
export type ConnectionRefusal = 'database' | 'credentials' | 'file' | 'driver'

/** The part of a database that is mirrored. */
export interface MirrorScope {
  readonly systemSchema: string
  /** null mirrors every schema that the role can use. */
  readonly schemas: readonly string[] | null
}

/** Servers that follow the primary and take reads. */
export interface Readers {
  readonly driver: Driver
  /** For the primary: one row with the schema and permission versions, and the position of its log. */
  readonly moment: (systemSchema: string) => Query
  /** One row: whether the server that answers follows another one ('t'). */
  readonly follows: Statement
}

/** A connected database: its dialect, its drivers and the statements that it supports. */
export interface Database {
  /** The kind of database: a name to show and to compare. Behaviour never depends on it. */
  readonly vendor: string
  /** The schema of the service's own tables: the requested one, if the database supports schemas. */
  readonly systemSchema: (wanted: string) => string
  readonly dialect: Dialect
  readonly driver: Driver
  /** One row: the product with its version (`PostgreSQL 15.19`), and whether the session refuses writes ('t'). Runs after the first contact. */
  readonly sessionFacts: () => Statement
  /** The refusal behind a failed connection; null if a retry may succeed. */
  readonly refusalOf: (error: DatabaseError) => ConnectionRefusal | null
  /** Separate connections for schema changes: statements may take long, but wait only briefly for locks. */
  readonly schemaDriver: Driver
  /** For statements that block no other session, and may therefore wait for locks themselves. */
  readonly backgroundDriver: Driver
  /** null: there is no server beside the primary. */
  readonly readers: Readers | null
  /** Drivers that only the dialect itself uses; closed with the others. */
  readonly ownDrivers?: readonly Driver[]
  readonly ddl: DdlStatements
  readonly serviceTables: ServiceTables
  readonly identity: IdentityStatements
  readonly sessions: SessionStatements
  readonly loginFailures: LoginFailureStatements
  readonly oneTime: OneTimeStatements
  readonly uploads: UploadStatements
  readonly events: EventStatements
  readonly outside: OutsideSource
  readonly deliveries: DeliveryStatements
  readonly leases: LeaseStatements
  readonly cursors: CursorStatements
  /** null: asking for the fingerprint costs next to nothing, so every process asks for itself. */
  readonly watch: WatchStatements | null
  readonly guards: GuardStatements
  readonly removal: RemovalStatements
  readonly diagnosis: DiagnosisStatements
  readonly distribution: Distribution
  readonly shop: ShopStatements
  readonly introspect: (
    query: (statement: Statement) => Promise<readonly Row[]>,
    scope: MirrorScope,
  ) => Promise<DatabaseSchema>
}

/** The members of the database that hold a driver. */
type DriverMember = { [Name in keyof Database]-?: Database[Name] extends Driver ? Name : never }[keyof Database]

/** The pools of a database, by the work that they do. */
const pools = {
  driver: 'requests',
  schemaDriver: 'schema',
  backgroundDriver: 'background',
} as const satisfies Readonly<Record<DriverMember, string>>

export type PoolName = (typeof pools)[keyof typeof pools] | 'readers' | 'dialect'

/** Every driver of a database with the name of its pool. */
export const poolsOf = (database: Database): readonly (readonly [PoolName, Driver])[] => [
  ...(Object.entries(pools) as [DriverMember, PoolName][]).map(([member, name]) => [name, database[member]] as const),
  ...(database.readers === null ? [] : [['readers', database.readers.driver] as const]),
  ...(database.ownDrivers ?? []).map((driver) => ['dialect', driver] as const),
]

const noValue = (): never => {
  throw new TypeError('a statement without a request has no values')
}

/** A statement whose bind values are all known. */
export function statementOf(query: Query, { compile }: Dialect): Statement {
  const { text, binds } = compile(query)
  return { text, values: bindValues(binds, noValue) }
}

/** Runs statements whose bind values are text, indexed by parameter. */
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

/** Runs statements one after another on one connection and returns the rows of all of them. */
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

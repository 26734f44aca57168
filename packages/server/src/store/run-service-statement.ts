import type { Parameter } from '../lib/parameter.ts'
import { bindValues, type Compiled } from '../sql/compile.ts'
import { runSteps, type Database } from '../sql/database.ts'
import { DatabaseError, type Driver, type Row, type Transaction } from '../sql/driver.ts'
import { stepsOf, type Steps } from '../sql/sql.ts'

type ServiceStatement = (schema: string) => Steps

/** Runs statements on the service's own tables with values for their parameters; each is compiled once. */
export type RunServiceStatement = (
  words: ServiceStatement,
  values?: readonly (string | null)[],
  runner?: Driver | Transaction,
) => Promise<readonly Row[]>

export function createServiceStatements({ driver, dialect }: Database, systemSchema: string): RunServiceStatement {
  const compiled = new WeakMap<ServiceStatement, readonly Compiled[]>()
  return (statement, values = [], runner = driver) => {
    const known = compiled.get(statement) ?? stepsOf(statement(systemSchema)).map(dialect.compile)
    compiled.set(statement, known)
    const valueOf = (parameter: Parameter) => (typeof parameter === 'number' ? (values[parameter] ?? null) : null)
    const statements = known.map(({ text, binds }) => ({ text, values: bindValues(binds, valueOf) }))
    return runSteps(statements, runner)
  }
}

const MAX_TRIES = 3

/** Retries a transaction that failed because of a conflict with another one. */
export async function inTransaction<T>(driver: Driver, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await driver.transaction(work)
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.fault !== 'conflict' || tries === MAX_TRIES) throw error
    }
  }
}

export const isTrue = (text: string | null | undefined): boolean => text === 't' || text === 'true' || text === '1'

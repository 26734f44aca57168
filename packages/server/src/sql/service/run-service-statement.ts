import { hash } from 'node:crypto'
import type { Parameter } from '../../lib/parameter.ts'
import { bindValues, type Compiled } from '../compile.ts'
import { runSteps, type Database } from '../database.ts'
import { DatabaseError, type Driver, type Row, type Transaction } from '../driver.ts'
import { stepsOf, type Steps } from '../sql.ts'

type ServiceStatement = (schema: string) => Steps

/** Runs statements on the service's own tables with values for their parameters; each is compiled once. */
export type RunServiceStatement = (
  statement: ServiceStatement,
  values?: readonly (string | null)[],
  runner?: Driver | Transaction,
) => Promise<readonly Row[]>

type Named = Compiled & { readonly name: string }

/**
 * A statement has a name from its second use on, so one that is built for a single call is never prepared. The name is a
 * hash of the text, because all stores of a process share the connections.
 */
export function createServiceStatements(
  { driver, dialect }: Pick<Database, 'driver' | 'dialect'>,
  systemSchema: string,
): RunServiceStatement {
  const compiled = new WeakMap<ServiceStatement, readonly Named[]>()

  const compile = (statement: ServiceStatement): readonly Named[] =>
    stepsOf(statement(systemSchema)).map((step) => {
      const made = dialect.compile(step)
      return { ...made, name: `s${hash('sha256', made.text, 'base64url').slice(0, 22)}` }
    })

  return (statement, values = [], runner = driver) => {
    const known = compiled.get(statement)
    const steps = known ?? compile(statement)
    if (known === undefined) compiled.set(statement, steps)
    const valueOf = (parameter: Parameter) => (typeof parameter === 'number' ? (values[parameter] ?? null) : null)
    const send = () =>
      runSteps(
        steps.map(({ text, binds, name }) => ({
          text,
          values: bindValues(binds, valueOf),
          ...(known === undefined ? {} : { name }),
        })),
        runner,
      )
    if (known === undefined) return send()
    // A migration may have changed the table since the statement was prepared; the driver has dropped its plan then.
    return send().catch((error: unknown) => {
      if (!isOutdated(error) || !('transaction' in runner)) throw error
      return send()
    })
  }
}

const isOutdated = (error: unknown): boolean => error instanceof DatabaseError && error.fault === 'schema-changed'

const MAX_TRIES = 3

/** Retries a transaction that failed because of a conflict with another one, or of an outdated prepared statement. */
export async function inTransaction<T>(driver: Driver, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await driver.transaction(work)
    } catch (error) {
      const isRepeatable = error instanceof DatabaseError && (error.fault === 'conflict' || isOutdated(error))
      if (!isRepeatable || tries === MAX_TRIES) throw error
    }
  }
}

export const isTrue = (text: string | null | undefined): boolean => text === 't' || text === 'true' || text === '1'

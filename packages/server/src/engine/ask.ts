import type { Slot } from '../lib/slot.ts'
import { bindValues, type Compiled } from '../sql/compile.ts'
import { runSteps, type Database } from '../sql/database.ts'
import { DatabaseError, type Driver, type Row, type Transaction } from '../sql/driver.ts'
import { stepsOf, type Steps } from '../sql/sql.ts'

type Words = (schema: string) => Steps

/** Runs statements of the service's own tables, with values for their slots; each is compiled once. */
export type Ask = (
  words: Words,
  values?: readonly (string | null)[],
  runner?: Driver | Transaction,
) => Promise<readonly Row[]>

export function createAsk({ driver, dialect }: Database, systemSchema: string): Ask {
  const compiled = new WeakMap<Words, readonly Compiled[]>()
  return (words, values = [], runner = driver) => {
    const known = compiled.get(words) ?? stepsOf(words(systemSchema)).map(dialect.compile)
    compiled.set(words, known)
    const valueOf = (slot: Slot) => (typeof slot === 'number' ? (values[slot] ?? null) : null)
    const statements = known.map(({ text, binds }) => ({ text, values: bindValues(binds, valueOf) }))
    return runSteps(statements, runner)
  }
}

const MAX_TRIES = 3

/** A transaction that lost against another one is run again. */
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

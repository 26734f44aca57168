import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Statement, type Transaction } from '../sql/driver.ts'
import type { ChangeContext } from './change-context.ts'

/** Statements that queue behind a change wait as long as the change does, and have 2 s in total. */
const TABLE_WAIT = 1000
const MAX_TRIES = 8
const FIRST_PAUSE = 50
const LONGEST_PAUSE = 1000

/** Retries work that waits only briefly for table locks, so that other statements never queue behind it for long. */
export async function patiently<T>({ database: { ddl }, observe }: ChangeContext, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError) || !ddl.isBusy(error) || tries === MAX_TRIES) throw error
      observe({ kind: 'schema-busy', tries, error })
      await sleep(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** tries) * (0.5 + Math.random()))
    }
  }
}

/** A transaction with a short lock timeout. */
export const impatiently = <T>(
  { database: { schemaDriver, ddl }, lease }: ChangeContext,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  schemaDriver.transaction(async (transaction) => {
    lease?.assertHeld()
    await transaction.query(ddl.impatience(TABLE_WAIT))
    return work(transaction)
  })

/** Statements outside of transactions block no other statements, so they may wait for locks themselves. */
export const runAlone = (
  context: ChangeContext,
  { statement, isOutside }: { statement: Statement; isOutside: boolean },
): Promise<unknown> =>
  isOutside
    ? context.database.backgroundDriver.execute(statement)
    : patiently(context, () => impatiently(context, (transaction) => transaction.query(statement)))

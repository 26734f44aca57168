import { ServiceError } from '@tain/contract'
import type { Mutex } from '../lib/mutex.ts'
import { STRUCTURE_LEASE } from '../sql/ddl.ts'
import { DatabaseError } from '../sql/driver.ts'
import type { ChangeContext } from './change-context.ts'
import { changeFault } from './change-faults.ts'
import { takeLease } from './lease.ts'

const LOCK_WAIT = 60_000

type Work<T> = (context: ChangeContext) => Promise<T>

/** Runs work under the mutex of this process and the lock of all replicas. */
export async function alone<T>(context: ChangeContext, mutex: Mutex, work: Work<T>): Promise<T> {
  const leave = await mutex.take()
  try {
    const { ddl } = context.database
    const lock = ddl.lock(context.systemSchema, LOCK_WAIT)
    return await (lock === null ? underLease(context, work) : underLock(context, lock, work))
  } catch (error) {
    throw changeFault(error, context.database.ddl)
  } finally {
    leave()
  }
}

async function underLock<T>(
  context: ChangeContext,
  lock: NonNullable<ReturnType<ChangeContext['database']['ddl']['lock']>>,
  work: Work<T>,
): Promise<T> {
  const done: { result?: T } = {}
  try {
    await context.database.schemaDriver.transaction(async (transaction) => {
      for (const statement of lock) await transaction.query(statement).catch(refuseToWait)
      done.result = await work(context)
    }, 'read')
    return done.result as T
  } catch (error) {
    // The lock can be lost after the work is done; the completed work remains valid.
    if ('result' in done) return done.result
    throw error
  }
}

async function underLease<T>(context: ChangeContext, work: Work<T>): Promise<T> {
  const done = await whileLeased(context, LOCK_WAIT, work)
  if (done === null) throw busy()
  return done.result
}

/** Null: another replica has the lease. */
async function whileLeased<T>(
  context: ChangeContext,
  wait: number,
  work: Work<T>,
): Promise<{ readonly result: T } | null> {
  const lease = await takeLease(context.database, context.systemSchema, STRUCTURE_LEASE, wait)
  if (lease === null) return null
  try {
    return { result: await work({ ...context, lease }) }
  } finally {
    await lease.release()
  }
}

const busy = () => new ServiceError('SERVICE_UNAVAILABLE', 'Another schema change is running; nothing was changed.')

const refuseToWait = (error: unknown): never => {
  throw error instanceof DatabaseError && (error.fault === 'timeout' || error.fault === 'too-slow') ? busy() : error
}

/** Runs work if no other replica holds the lock; waits for a holder that has vanished where the lock is a lease. */
export async function ifAlone(context: ChangeContext, work: Work<unknown>): Promise<void> {
  const { database, systemSchema } = context
  const { schemaDriver, ddl } = database
  if (ddl.lock(systemSchema, 0) === null) return void (await whileLeased(context, VANISHED, work))
  await schemaDriver.transaction(async (transaction) => {
    const [row] = await transaction.query(ddl.tryLock(systemSchema))
    if (row?.[0] === 't') await work(context)
  }, 'read')
}

/** A little longer than a lease lives. */
const VANISHED = 22_000

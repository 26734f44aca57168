import { ServiceError } from '@tain/contract'
import type { Mutex } from '../lib/mutex.ts'
import { DatabaseError } from '../sql/driver.ts'
import type { ChangeContext } from './change-context.ts'
import { changeFault } from './change-faults.ts'

const LOCK_WAIT = 60_000

/** Runs work under the mutex of this process and the lock of all replicas. */
export async function alone<T>(
  { database: { schemaDriver, ddl }, systemSchema }: ChangeContext,
  mutex: Mutex,
  work: () => Promise<T>,
): Promise<T> {
  const leave = await mutex.take()
  const done: { result?: T } = {}
  try {
    await schemaDriver.transaction(async (transaction) => {
      for (const statement of ddl.lock(systemSchema, LOCK_WAIT)) await transaction.query(statement).catch(refuseToWait)
      done.result = await work()
    }, 'read')
    return done.result as T
  } catch (error) {
    // The lock can be lost after the work is done; the completed work remains valid.
    if ('result' in done) return done.result
    throw changeFault(error, ddl)
  } finally {
    leave()
  }
}

const refuseToWait = (error: unknown): never => {
  throw error instanceof DatabaseError && (error.fault === 'timeout' || error.fault === 'too-slow')
    ? new ServiceError('SERVICE_UNAVAILABLE', 'Another schema change is running; nothing was changed.')
    : error
}

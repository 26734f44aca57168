import type { ConnectionOptions } from 'mysql2'
import { open } from './connection.ts'

/** Ends the running statement of another connection, over a separate connection. */
export function killQuery(config: ConnectionOptions, thread: number, timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const side = open(config)
    const timer = setTimeout(() => fail(new Error('the order to end a statement took too long')), timeout)
    const fail = (error: unknown) => {
      clearTimeout(timer)
      side.destroy()
      reject(error instanceof Error ? error : new Error(String(error)))
    }
    side.on('error', fail)
    side.query(`kill query ${Math.trunc(thread)}`, (error) => {
      // The thread no longer exists, so there is nothing to end.
      if (error !== null && error.errno !== 1094) return fail(error)
      clearTimeout(timer)
      resolve()
      side.end(() => undefined)
    })
  })
}

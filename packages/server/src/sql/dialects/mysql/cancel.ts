import type { ConnectionOptions } from 'mysql2'
import { open } from './connection.ts'

/** Ends the running statement of another connection, over a separate connection. */
export function killQuery(config: ConnectionOptions, thread: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const side = open(config)
    const fail = (error: unknown) => {
      side.destroy()
      reject(error instanceof Error ? error : new Error(String(error)))
    }
    side.once('error', fail)
    side.query(`kill query ${Math.trunc(thread)}`, (error) => {
      // The thread no longer exists, so there is nothing to end.
      if (error !== null && error.errno !== 1094) return fail(error)
      side.end(() => resolve())
    })
  })
}

import type { ConnectionOptions } from 'mysql2'
import { open } from './connection.ts'

/** Ends what another connection runs, over a connection of its own. */
export function killQuery(config: ConnectionOptions, thread: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const side = open(config)
    const fail = (error: unknown) => {
      side.destroy()
      reject(error instanceof Error ? error : new Error(String(error)))
    }
    side.once('error', fail)
    side.query(`kill query ${Math.trunc(thread)}`, (error) => {
      // There is no such thread any more: then there is nothing to end.
      if (error !== null && error.errno !== 1094) return fail(error)
      side.end(() => resolve())
    })
  })
}

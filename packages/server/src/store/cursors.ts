import type { Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import { createServiceStatements } from '../sql/service/run-service-statement.ts'

/** How far somebody has come with a line of numbers. Numbers of different epochs cannot be compared. */
export interface Cursor {
  readonly epoch: string
  readonly position: number
}

/** Cursors of all replicas, by name. */
export interface CursorStore {
  readonly read: (name: string) => Promise<Cursor | null>
  readonly keep: (name: string, cursor: Cursor, transaction: Transaction) => Promise<void>
}

export function createCursorStore(database: Database, systemSchema: string): CursorStore {
  const { cursors } = database
  const ask = createServiceStatements(database, systemSchema)
  return {
    async read(name) {
      const [row] = await ask(cursors.read, [name])
      return row === undefined ? null : { epoch: row[0] ?? '', position: Number(row[1]) }
    },
    async keep(name, { epoch, position }, transaction) {
      await ask(cursors.keep, [name, epoch, String(position)], transaction)
    },
  }
}

import { statSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'

/** The files that SQLite keeps next to a file in WAL mode while it is open, by readers too. */
const companions = (file: string) => [`${file}-wal`, `${file}-shm`]

const sizeOf = (file: string): number | null => statSync(file, { throwIfNoEntry: false })?.size ?? null

/**
 * A read-only connection creates companions where there are none, and leaves them behind. SQLite itself removes them
 * when the last connection that may write is closed; it alone knows whether another process uses them by now.
 */
export function watchCompanions(file: string): { readonly remove: () => void } {
  const wereThere = companions(file).some((name) => sizeOf(name) !== null)
  return {
    remove() {
      // A log with content belongs to another process. Closing here would write that content into the file.
      if (wereThere || sizeOf(`${file}-wal`) !== 0) return
      try {
        const last = new BetterSqlite(file, { fileMustExist: true, timeout: 0 })
        last.pragma('query_only = on')
        last.pragma('schema_version')
        last.close()
      } catch {
        // The folder cannot be written: nothing was created there.
      }
    },
  }
}

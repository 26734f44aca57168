import BetterSqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { Bind } from '../../driver.ts'
import type { Answer, ThreadOptions } from './messages.ts'
import { registerFunctions, textOf } from './registered.ts'

export type Cell = bigint | number | string | Buffer | null

/** The library comes with the first database that is opened. */
export const loadLibrary = (): void => void new BetterSqlite(':memory:').close()

export function openFile({ file, isWriter, enforcesKeys, busyTimeout }: ThreadOptions): BetterSqlite.Database {
  const opened = new BetterSqlite(file, { fileMustExist: !isWriter, timeout: busyTimeout })
  opened.defaultSafeIntegers(true)
  if (isWriter) opened.pragma('journal_mode = wal')
  opened.pragma('synchronous = full')
  // Tables that are made anew are dropped with their rows, and nothing that refers to them may follow.
  opened.pragma(`foreign_keys = ${enforcesKeys ? 'on' : 'off'}`)
  if (!enforcesKeys) opened.pragma('legacy_alter_table = on')
  opened.pragma('temp_store = memory')
  if (!isWriter) opened.pragma('query_only = on')
  registerFunctions(opened)
  return opened
}

/** Lists travel as JSON. */
const bindOf = (value: Bind): string | bigint | null =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

export function cellsOf(found: Iterable<Cell[]>): (string | null)[] {
  const cells: (string | null)[] = []
  for (const row of found) for (const cell of row) cells.push(cell === null ? null : textOf(cell))
  return cells
}

/** Runs statements on one connection, and keeps those that come again prepared. */
export interface Runner {
  run(text: string, values: readonly Bind[]): Answer
  /** Rows one by one, as somebody asks for them. */
  iterate(text: string, values: readonly Bind[]): IterableIterator<Cell[]>
}

export function createRunner(database: BetterSqlite.Database, most: number): Runner {
  const prepared = new LRUCache<string, BetterSqlite.Statement>({ max: Math.max(most, 1) })

  const statementOf = (text: string): BetterSqlite.Statement => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const made = database.prepare(text)
    if (made.reader) made.raw(true)
    prepared.set(text, made)
    return made
  }

  return {
    run(text, values) {
      const statement = statementOf(text)
      const binds = values.map(bindOf)
      if (!statement.reader) {
        statement.run(...binds)
        return { width: 0, cells: [] }
      }
      const found = statement.all(...binds) as Cell[][]
      return { width: found[0]?.length ?? 0, cells: cellsOf(found) }
    },
    iterate(text, values) {
      // While it is being read from it cannot be run a second time, so it is kept from the others.
      const statement = database.prepare(text).raw(true)
      return statement.iterate(...values.map(bindOf)) as IterableIterator<Cell[]>
    },
  }
}

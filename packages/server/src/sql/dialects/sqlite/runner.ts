import { closeSync, openSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { tooLarge, type Bind } from '../../driver.ts'
import type { Answer, ThreadOptions } from './messages.ts'
import { registerFunctions, textOf } from './registered.ts'

export type Cell = bigint | number | string | Buffer | null

/** The native library is loaded when the first database is opened. */
export const loadLibrary = (): void => void new BetterSqlite(':memory:').close()

/**
 * A new file is accessible only to its owner; SQLite gives its companion files the same mode. An existing file keeps
 * its mode.
 */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch {
    // The file exists or cannot be created: opening it shows which.
  }
}

export function openFile(options: ThreadOptions): BetterSqlite.Database {
  const { file, isWriter, isReadOnly, enforcesKeys, busyTimeout } = options
  if (isWriter) createFile(file)
  const opened = new BetterSqlite(file, { readonly: isReadOnly, fileMustExist: !isWriter, timeout: busyTimeout })
  opened.defaultSafeIntegers(true)
  if (isWriter) opened.pragma('journal_mode = wal')
  opened.pragma('synchronous = full')
  // Rebuilt tables are dropped with their rows, and rows that refer to them must not follow.
  opened.pragma(`foreign_keys = ${enforcesKeys ? 'on' : 'off'}`)
  if (!enforcesKeys) opened.pragma('legacy_alter_table = on')
  opened.pragma('temp_store = memory')
  if (!isWriter) opened.pragma('query_only = on')
  registerFunctions(opened)
  return opened
}

/** Lists are sent as JSON. */
const bindOf = (value: Bind): string | bigint | null =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

/** Rows as one list of cells. */
export interface Collected {
  readonly cells: (string | null)[]
  width: number
  bytes: number
}

export const collectCells = (): Collected => ({ cells: [], width: 0, bytes: 0 })

export function addRow(to: Collected, row: readonly Cell[], mostBytes: number): void {
  to.width = row.length
  for (const cell of row) {
    const text = cell === null ? null : textOf(cell)
    if (text !== null) to.bytes += text.length
    to.cells.push(text)
  }
  if (to.bytes > mostBytes) throw tooLarge(mostBytes)
}

/** Runs statements on one connection, and keeps repeated ones prepared. */
export interface Runner {
  /** `isSmall`: there is at most one row, see Statement. */
  run(text: string, values: readonly Bind[], mostBytes: number, isSmall?: boolean): Answer
  /** Rows one by one, as the caller requests them. */
  iterate(text: string, values: readonly Bind[]): IterableIterator<Cell[]>
}

/** A prepared statement takes several times the memory of its text, in every thread. */
const LONGEST_PREPARED = 16_384
const MOST_PREPARED = 1024 ** 2

export function createRunner(database: BetterSqlite.Database, most: number): Runner {
  const prepared = new LRUCache<string, BetterSqlite.Statement>({
    max: Math.max(most, 1),
    maxSize: MOST_PREPARED,
    maxEntrySize: LONGEST_PREPARED,
    sizeCalculation: (_, text) => text.length,
  })

  const statementOf = (text: string): BetterSqlite.Statement => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const made = database.prepare(text)
    if (made.reader) made.raw(true)
    prepared.set(text, made)
    return made
  }

  return {
    run(text, values, mostBytes, isSmall = false) {
      const statement = statementOf(text)
      const binds = values.map(bindOf)
      if (!statement.reader) {
        statement.run(...binds)
        return { width: 0, cells: [] }
      }
      const found = collectCells()
      // Rows are read one by one, so that a result that is too large is never in memory at once. A write is complete
      // before its first row arrives.
      const rows = statement.readonly && !isSmall ? statement.iterate(...binds) : statement.all(...binds)
      for (const row of rows as Iterable<Cell[]>) addRow(found, row, mostBytes)
      return { width: found.width, cells: found.cells }
    },
    iterate(text, values) {
      // A statement cannot run a second time while its rows are being read, so this one is not shared.
      const statement = database.prepare(text).raw(true)
      return statement.iterate(...values.map(bindOf)) as IterableIterator<Cell[]>
    },
  }
}

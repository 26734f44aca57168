import { parentPort, workerData } from 'node:worker_threads'
import { BATCH_BYTES, DatabaseError, type Bind } from '../../driver.ts'
import { READY, type Answer, type Failure, type Order, type ThreadOptions } from './messages.ts'
import { CHECK_DEFERRED, checkDeferred } from './deferred-keys.ts'
import { refusingCheck } from './refusing-check.ts'
import { refusingKey } from './refusing-key.ts'
import { checkKeys, countBroken } from './key-check.ts'
import { nameTransactions } from './own-transactions.ts'
import { REBUILD, rebuild, type Rebuild } from './rebuild.ts'
import { addRow, collectCells, createRunner, openFile, type Cell } from './runner.ts'
import { openLock, TAKE_LOCK } from './schema-lock.ts'
import { COUNT_ROWS, tableSizes } from './table-sizes.ts'

/** One connection in a separate thread: it takes orders one after another and answers each. */
const options = workerData as ThreadOptions
const { isWriter, enforcesKeys } = options

const BATCH = 500

const DROP_TABLE = /^drop table "main"\."((?:[^"]|"")*)"$/u

const database = openFile(options)
const runner = createRunner(database, options.preparedStatements)
const lock = openLock(options.file)
const transactions = nameTransactions(database)
let rows: IterableIterator<Cell[]> | null = null
let mostBytes = 0

function run(text: string, values: readonly Bind[], most: number): Answer {
  if (text === TAKE_LOCK) return lock.take(Number(values[0]))
  if (text === COUNT_ROWS) return { width: 3, cells: tableSizes(database, String(values[0])) }
  if (text === CHECK_DEFERRED) {
    checkDeferred(database)
    return { width: 0, cells: [] }
  }
  if (text.startsWith(REBUILD)) {
    const wanted = JSON.parse(String(values[0])) as Rebuild
    touch(wanted.table)
    rebuild(database, wanted)
    return { width: 0, cells: [] }
  }
  const dropped = DROP_TABLE.exec(text)?.[1]
  if (dropped !== undefined) touch(dropped.replaceAll('""', '"'))
  return runner.run(text, values, most)
}

function nextBatch(): Answer {
  const batch = collectCells()
  for (let count = 0; rows !== null && count < BATCH && batch.bytes < BATCH_BYTES; count += 1) {
    const next = rows.next()
    if (next.done === true) {
      rows = null
      break
    }
    addRow(batch, next.value, mostBytes)
  }
  return { width: batch.width, cells: batch.cells, isLast: rows === null }
}

function end(): void {
  rows?.return?.()
  rows = null
  touched.clear()
  brokenBefore.clear()
  lock.release()
}

function obey(order: Order): Answer {
  switch (order.kind) {
    case 'run':
      if (order.begins !== null && !database.inTransaction) begin(order.begins)
      return run(order.text, order.values, order.mostBytes)
    case 'open':
      rows = runner.iterate(order.text, order.values)
      mostBytes = order.mostBytes
      return nextBatch()
    case 'next':
      return nextBatch()
    case 'commit':
      if (database.inTransaction) commit()
      end()
      return { width: 0, cells: [] }
    case 'rollback':
      end()
      if (database.inTransaction) database.exec('rollback')
      return { width: 0, cells: [] }
    case 'close':
      end()
      database.close()
      return { width: 0, cells: [] }
  }
}

/** Tables that the running transaction has rebuilt or dropped. */
const touched = new Set<string>()
const brokenBefore = new Map<string, number>()

function touch(table: string): void {
  if (!touched.has(table) && !enforcesKeys) countBroken(database, table, brokenBefore)
  touched.add(table)
}

function begin(text: string): void {
  transactions.begin()
  database.exec(text)
}

function commit(): void {
  if (!enforcesKeys && isWriter) checkKeys(database, touched, brokenBefore)
  database.exec('commit')
}

const port = parentPort
port?.postMessage(READY)
port?.on('message', (order: Order) => {
  try {
    port.postMessage(obey(order))
  } catch (error) {
    port.postMessage({ width: 0, cells: [], failure: failureOf(error, order) })
  }
  if (order.kind === 'close') port.close()
})

function failureOf(error: unknown, order: Order): Failure {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const mostBytes = error instanceof DatabaseError ? error.details?.mostBytes : undefined
  if (mostBytes !== undefined) return { code: null, message: String(message), mostBytes }
  const text = String(message)
  // ON DELETE RESTRICT is an internal trigger of the database.
  const isRestricted = code === 'SQLITE_CONSTRAINT_TRIGGER' && text === 'FOREIGN KEY constraint failed'
  const known = isRestricted ? 'SQLITE_CONSTRAINT_FOREIGNKEY' : code
  const failure = { code: typeof known === 'string' ? known : null, message: text }
  const { foreignKey } = error as Partial<Failure>
  if (foreignKey !== undefined) return { ...failure, foreignKey }
  if (order.kind !== 'run' && order.kind !== 'open') return failure
  if (failure.code === 'SQLITE_CONSTRAINT_CHECK')
    return { ...failure, check: refusingCheck(database, order.text, failure.message) }
  if (failure.code === 'SQLITE_ERROR') return { ...failure, isElsewhere: isElsewhere(failure.message, order.text) }
  if (failure.code !== 'SQLITE_CONSTRAINT_FOREIGNKEY' || order.kind !== 'run' || !database.inTransaction) return failure
  const again = () => void run(order.text, order.values, order.mostBytes)
  return { ...failure, foreignKey: refusingKey(database, order.text, again) }
}

/** The missing name does not occur in the statement. */
function isElsewhere(message: string, text: string): boolean {
  const name = /^no such (?:table|column|function): (?:.*\.)?(.+)$/su.exec(message)?.[1]
  return name !== undefined && !text.toLowerCase().includes(name.toLowerCase())
}

import { parentPort, workerData } from 'node:worker_threads'
import type { Bind } from '../../driver.ts'
import { READY, type Answer, type Failure, type Order, type ThreadOptions } from './messages.ts'
import { refusingKey } from './refusing-key.ts'
import { checkKeys } from './key-check.ts'
import { REBUILD, rebuild, type Rebuild } from './rebuild.ts'
import { cellsOf, createRunner, openFile, type Cell } from './runner.ts'
import { openLock, TAKE_LOCK } from './structure-lock.ts'
import { COUNT_ROWS, tableSizes } from './table-sizes.ts'

/** One connection in a thread of its own: takes orders one after another and answers each. */
const options = workerData as ThreadOptions
const { isWriter, enforcesKeys } = options

const BATCH = 500

const DROP_TABLE = /^drop table "main"\."((?:[^"]|"")*)"$/u

const database = openFile(options)
const runner = createRunner(database, options.preparedStatements)
const lock = openLock(options.file)
let rows: IterableIterator<Cell[]> | null = null

function run(text: string, values: readonly Bind[]): Answer {
  if (text === TAKE_LOCK) return lock.take(Number(values[0]))
  if (text === COUNT_ROWS) return { width: 3, cells: tableSizes(database, String(values[0])) }
  if (text.startsWith(REBUILD)) {
    const wanted = JSON.parse(String(values[0])) as Rebuild
    touched.add(wanted.table)
    rebuild(database, wanted)
    return { width: 0, cells: [] }
  }
  const dropped = DROP_TABLE.exec(text)?.[1]
  if (dropped !== undefined) touched.add(dropped.replaceAll('""', '"'))
  return runner.run(text, values)
}

function nextBatch(): Answer {
  const batch: Cell[][] = []
  while (rows !== null && batch.length < BATCH) {
    const next = rows.next()
    if (next.done === true) {
      rows = null
      break
    }
    batch.push(next.value)
  }
  return { width: batch[0]?.length ?? 0, cells: cellsOf(batch), isLast: rows === null }
}

function end(): void {
  rows?.return?.()
  rows = null
  touched.clear()
  lock.release()
}

function obey(order: Order): Answer {
  switch (order.kind) {
    case 'run':
      if (order.begins !== null && !database.inTransaction) database.exec(order.begins)
      return run(order.text, order.values)
    case 'open':
      rows = runner.iterate(order.text, order.values)
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

/** Tables that the running transaction has made anew or dropped. */
const touched = new Set<string>()

function commit(): void {
  if (!enforcesKeys && isWriter) checkKeys(database, touched)
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
  const failure = { code: typeof code === 'string' ? code : null, message: String(message) }
  if (failure.code !== 'SQLITE_CONSTRAINT_FOREIGNKEY' || order.kind !== 'run' || !database.inTransaction) return failure
  const again = () => void run(order.text, order.values)
  return { ...failure, foreignKey: refusingKey(database, order.text, again) }
}

import { availableParallelism } from 'node:os'
import type BetterSqlite from 'better-sqlite3'
import type { AbortFlag } from '../../../lib/abort-flag.ts'
import { createQueueWait, type QueueWait } from '../../../lib/queue-wait.ts'
import type { ConnectOptions } from '../../database.ts'
import {
  DatabaseError,
  MOST_BYTES,
  type PoolRefusal,
  type PoolStats,
  type Statement,
  type TransactionKind,
} from '../../driver.ts'
import { watchCompanions } from './companions.ts'
import { openConnection, type Connection } from './connection.ts'
import type { Answer, ThreadOptions } from './messages.ts'
import { createRunner, loadLibrary, openFile, type Runner } from './runner.ts'

export interface FileOptions extends ConnectOptions {
  readonly file: string
  readonly enforcesKeys: boolean
}

/** Connections to one file: one writer and a few readers. Threads start when they are needed. */
export interface Pool {
  readonly onStatement: ((statement: Statement) => void) | undefined
  readonly isReachable: boolean
  /** Callers that wait for a statement, and the action for when they no longer wait. */
  readonly watched: Set<{ readonly signal: AbortFlag; readonly stop: () => void }>
  acquire(kind: TransactionKind): Promise<Connection>
  release(connection: Connection): void
  /** Runs on a connection of this thread, where that is cheaper than using another thread; null if it cannot. */
  runSmall(statement: Statement): Answer | null
  stats(): PoolStats
  close(): Promise<void>
}

interface Waiter {
  readonly deadline: number
  readonly start: (connection: Connection) => void
  readonly fail: (error: DatabaseError) => void
}

interface Side {
  readonly isWriter: boolean
  readonly most: number
  readonly all: Set<Connection>
  readonly idle: Connection[]
  readonly queue: Waiter[]
  readonly queueWait: QueueWait
}

const CLOCK = 100
/** Abandoned statements that still run keep one core busy each. */
const MOST_ABANDONED = 4
const QUEUE_PER_CONNECTION = 100

const waitOf = ({ queueWait, queue }: Side) => queueWait.expected(performance.now(), queue.length)

const unavailable = (message: string) => new DatabaseError('unavailable', message)

export function createPool(options: FileOptions): Pool {
  // Loaded before any other thread loads it: later this thread would wait for any statement that runs in the others.
  loadLibrary()
  const { isReadOnly = false } = options
  const leftovers = isReadOnly ? watchCompanions(options.file) : null
  const readers = Math.max(2, Math.min(options.poolMax, availableParallelism() + 1))
  const sides: Readonly<Record<TransactionKind, Side>> = {
    write: { isWriter: true, most: 1, all: new Set(), idle: [], queue: [], queueWait: createQueueWait(1) },
    read: { isWriter: false, most: readers, all: new Set(), idle: [], queue: [], queueWait: createQueueWait(readers) },
  }
  const all = [sides.write, sides.read]
  const sideOf = (connection: Connection) => (sides.write.all.has(connection) ? sides.write : sides.read)
  let isClosing = false
  let isReachable = true
  let abandoned = 0
  let timer: NodeJS.Timeout | null = null
  const watched: Pool['watched'] = new Set()
  const refused: Record<PoolRefusal, number> = { outage: 0, full: 0, late: 0 }

  let own: { readonly database: BetterSqlite.Database; readonly runner: Runner } | null = null

  /** Never waits: if the file is busy or anything fails, the other threads run the statement. */
  const runSmall = (statement: Statement): Answer | null => {
    if (isClosing) return null
    try {
      if (own === null) {
        const database = openFile({ ...threadOptions(sides.read), busyTimeout: 0 })
        own = { database, runner: createRunner(database, options.preparedStatements) }
      }
      const answer = own.runner.run(statement.text, statement.values, statement.mostBytes ?? MOST_BYTES, true)
      options.onStatement?.(statement)
      return answer
    } catch {
      return null
    }
  }

  const threadOptions = (side: Side): ThreadOptions => ({
    file: options.file,
    isWriter: side.isWriter && !isReadOnly,
    isReadOnly,
    enforcesKeys: options.enforcesKeys,
    busyTimeout: options.lockTimeout,
    preparedStatements: Math.max(options.preparedStatements, 50),
  })

  const open = (side: Side): Connection => {
    const connection: Connection = openConnection(threadOptions(side), () => {
      side.all.delete(connection)
      const place = side.idle.indexOf(connection)
      if (place >= 0) side.idle.splice(place, 1)
      serve(side)
    })
    side.all.add(connection)
    return connection
  }

  const free = (side: Side): Connection | null => {
    const idle = side.idle.pop()
    if (idle !== undefined) return idle
    return side.all.size < side.most ? open(side) : null
  }

  function serve(side: Side): void {
    while (side.queue.length > 0) {
      const connection = isClosing ? null : free(side)
      if (connection === null) return
      side.queueWait.served()
      side.queue.shift()?.start(connection)
    }
  }

  /** One coarse timer for callers that wait too long for a connection and for statements that take too long. */
  function watch(): void {
    const now = performance.now()
    for (const { signal, stop } of watched) if (signal.aborted) stop()
    let isBusy = false
    for (const side of all) {
      while ((side.queue[0]?.deadline ?? Infinity) <= now) {
        refused.late += 1
        side.queue
          .shift()
          ?.fail(
            side.isWriter
              ? new DatabaseError('timeout', 'another write took too long')
              : unavailable('no connection became free in time'),
          )
      }
      side.queueWait.tick(now, side.queue.length)
      for (const connection of side.all) {
        const { since } = connection
        isBusy ||= connection.isBusy
        if (since === null) continue
        const isLate = options.statementTimeout > 0 && now - since > options.statementTimeout
        if (isLate && abandoned < MOST_ABANDONED) {
          abandoned += 1
          connection.abandon(new DatabaseError('too-slow', 'the statement took too long'), () => {
            abandoned -= 1
          })
        }
      }
      isBusy ||= side.queue.length > 0
    }
    if (!isBusy && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }

  const wake = () => {
    timer ??= setInterval(watch, CLOCK).unref()
  }

  return {
    onStatement: options.onStatement,
    watched,
    get isReachable() {
      return isReachable
    },
    acquire(kind) {
      if (isClosing) return Promise.reject(unavailable('the database driver is closed'))
      const side = sides[kind]
      wake()
      const connection = side.queue.length === 0 ? free(side) : null
      if (connection !== null) return Promise.resolve(connection)
      if (side.queue.length >= QUEUE_PER_CONNECTION * options.poolMax) {
        refused.full += 1
        return Promise.reject(unavailable('too many statements wait for a connection'))
      }
      const patience = side.isWriter ? options.lockTimeout || Infinity : options.acquireTimeout
      return new Promise((start, fail) => {
        const now = performance.now()
        side.queue.push({ deadline: now + patience, start, fail })
        side.queueWait.joined(now)
      })
    },
    release(connection) {
      isReachable = true
      if (connection.isDead) return
      const side = sideOf(connection)
      const waiter = side.queue.shift()
      if (waiter === undefined) {
        side.idle.push(connection)
        return
      }
      side.queueWait.served()
      waiter.start(connection)
    },
    runSmall,
    stats() {
      const sum = (count: (side: Side) => number) => all.reduce((total, side) => total + count(side), 0)
      return {
        max: sum(({ most }) => most),
        open: sum((side) => side.all.size),
        idle: sum(({ idle }) => idle.length),
        waiting: sum(({ queue }) => queue.length),
        refused,
        outage: null,
        wait: Math.max(...all.map(waitOf)),
      }
    },
    async close() {
      isClosing = true
      if (timer !== null) clearInterval(timer)
      own?.database.close()
      for (const { queue } of all)
        for (const waiter of queue.splice(0)) waiter.fail(unavailable('the database driver is closed'))
      await Promise.all(all.flatMap((side) => [...side.all].map((connection) => connection.close())))
      leftovers?.remove()
    },
  }
}

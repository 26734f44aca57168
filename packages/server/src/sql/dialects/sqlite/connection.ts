import { Worker } from 'node:worker_threads'
import { DatabaseError } from '../../driver.ts'
import { toDatabaseError } from './errors.ts'
import { READY, type Answer, type Order, type ThreadOptions } from './messages.ts'

/** A connection to the file, in a separate thread. */
export interface Connection {
  /** The thread handles one order at a time; others wait in the thread. */
  send(order: Order): Promise<Answer>
  /** The time at which the thread began its current order; null while it is idle, and until it has started. */
  readonly since: number | null
  /** A caller waits for an answer. */
  readonly isBusy: boolean
  readonly isDead: boolean
  /**
   * Gives up on the connection: a running statement cannot be stopped, so it ends by itself, and the thread with it.
   */
  abandon(error: DatabaseError, onEnd: () => void): void
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: DatabaseError) => void
}

// The published build has a JavaScript file next to this one.
const program = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url)

export function openConnection(options: ThreadOptions, onGone: () => void): Connection {
  const worker = new Worker(program, {
    workerData: options,
    name: options.isWriter ? 'sqlite-writer' : 'sqlite-reader',
  })
  // The process may exit if it has nothing else to do.
  worker.unref()
  const waiting: Waiting[] = []
  let first = 0
  let gone: DatabaseError | null = null
  let isReady = false
  let since = 0

  const next = (): Waiting | undefined => {
    const found = waiting[first]
    if (found === undefined) return undefined
    first += 1
    since = performance.now()
    if (first === waiting.length) {
      waiting.length = 0
      first = 0
      worker.unref()
    }
    return found
  }

  const fail = (error: DatabaseError): void => {
    if (gone !== null) return
    gone = error
    for (const entry of waiting.splice(0).slice(first)) entry.reject(error)
    first = 0
    onGone()
  }

  worker.on('message', (answer: Answer | typeof READY) => {
    if (answer === READY) {
      isReady = true
      since = performance.now()
      return
    }
    const { failure } = answer
    if (failure === undefined) next()?.resolve(answer)
    else next()?.reject(toDatabaseError(failure))
  })
  worker.on('error', (error: unknown) => fail(toDatabaseError(error)))
  worker.on('exit', () => fail(new DatabaseError('unavailable', 'the connection was lost')))

  return {
    send(order) {
      if (gone !== null) return Promise.reject(gone)
      if (waiting.length === 0) worker.ref()
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) since = performance.now()
        waiting.push({ resolve, reject })
        worker.postMessage(order, [])
      })
    },
    get since() {
      return isReady && waiting.length > 0 ? since : null
    },
    get isBusy() {
      return waiting.length > 0
    },
    get isDead() {
      return gone !== null
    },
    abandon(error, onEnd) {
      fail(error)
      worker.unref()
      worker.terminate().then(onEnd, onEnd)
    },
    async close() {
      if (gone !== null) return
      const exit = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      await this.send({ kind: 'close' }).catch(() => undefined)
      gone ??= new DatabaseError('unavailable', 'the database driver is closed')
      await exit
    },
  }
}

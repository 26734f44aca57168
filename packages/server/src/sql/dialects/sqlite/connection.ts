import { Worker } from 'node:worker_threads'
import { DatabaseError } from '../../driver.ts'
import { toDatabaseError } from './errors.ts'
import { isAnswer, READY, type Answer, type Order, type ThreadOptions } from './messages.ts'

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

interface State {
  readonly waiting: WaitingList
  /** Why the connection is dead; null while it works. */
  gone: DatabaseError | null
  isReady: boolean
  /** The time at which the thread began its current order. */
  since: number
}

export function openConnection(options: ThreadOptions, onGone: () => void): Connection {
  const worker = startThread(options)
  const state: State = { waiting: createWaitingList(), gone: null, isReady: false, since: 0 }
  const { waiting } = state

  const fail = (error: DatabaseError): void => {
    if (state.gone !== null) return
    state.gone = error
    for (const entry of waiting.takeAll()) entry.reject(error)
    onGone()
  }

  worker.on('message', (message: unknown) => settle(message, state, worker))
  worker.on('error', (error: unknown) => fail(toDatabaseError(error)))
  worker.on('exit', () => fail(new DatabaseError('unavailable', 'the connection was lost')))

  return {
    send(order) {
      if (state.gone !== null) return Promise.reject(state.gone)
      if (waiting.isEmpty) worker.ref()
      return new Promise((resolve, reject) => {
        if (waiting.isEmpty) state.since = performance.now()
        waiting.push({ resolve, reject })
        worker.postMessage(order, [])
      })
    },
    get since() {
      return state.isReady && !waiting.isEmpty ? state.since : null
    },
    get isBusy() {
      return !waiting.isEmpty
    },
    get isDead() {
      return state.gone !== null
    },
    abandon(error, onEnd) {
      fail(error)
      worker.unref()
      worker.terminate().then(onEnd, onEnd)
    },
    async close() {
      if (state.gone !== null) return
      const exit = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      await this.send({ kind: 'close' }).catch(() => undefined)
      state.gone ??= new DatabaseError('unavailable', 'the database driver is closed')
      await exit
    },
  }
}

function startThread(options: ThreadOptions): Worker {
  const worker = new Worker(program, {
    workerData: options,
    name: options.isWriter ? 'sqlite-writer' : 'sqlite-reader',
  })
  // The process may exit if it has nothing else to do.
  worker.unref()
  return worker
}

/** Gives an answer to the caller that has waited longest. */
function settle(message: unknown, state: State, worker: Worker): void {
  if (message === READY) {
    state.isReady = true
    state.since = performance.now()
    return
  }
  if (!isAnswer(message)) return
  const caller = state.waiting.take()
  if (caller === undefined) return
  state.since = performance.now()
  if (state.waiting.isEmpty) worker.unref()
  const { failure } = message
  if (failure === undefined) caller.resolve(message)
  else caller.reject(toDatabaseError(failure))
}

/** The callers in the order of their orders. */
interface WaitingList {
  readonly isEmpty: boolean
  push(caller: Waiting): void
  take(): Waiting | undefined
  takeAll(): readonly Waiting[]
}

function createWaitingList(): WaitingList {
  const callers: Waiting[] = []
  let first = 0
  return {
    get isEmpty() {
      return callers.length === 0
    },
    push(caller) {
      callers.push(caller)
    },
    take() {
      const found = callers[first]
      if (found === undefined) return undefined
      first += 1
      if (first === callers.length) {
        callers.length = 0
        first = 0
      }
      return found
    },
    takeAll() {
      const left = callers.splice(0).slice(first)
      first = 0
      return left
    },
  }
}

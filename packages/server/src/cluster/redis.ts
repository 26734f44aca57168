import { within } from '../lib/within.ts'
import type { Observe } from '../observe.ts'
import type { OpenRedis, RedisClient, RedisConnection } from './redis-connection.ts'

/** Redis, behind a circuit breaker. It makes things faster or shared; nothing depends on it. */
export interface Redis {
  /** Runs commands within the timeout. While Redis is unavailable, and after a failure, `instead` answers. */
  attempt<T>(commands: (client: RedisClient) => Promise<T>, instead: () => T | Promise<T>): Promise<T>
  isUp(): boolean
  /** Calls back for each connection that is made. */
  onConnect(connected: (connection: RedisConnection) => void): void
  /** Connects in the background; Redis may come later. */
  start(): void
  close(): void
}

export interface RedisOptions {
  /** Opens a connection that takes writes. */
  readonly open: () => Promise<OpenRedis>
  /** Milliseconds that commands may take. */
  readonly timeout: number
  readonly observe: Observe
  readonly random?: () => number
}

const FIRST_DELAY = 200
const LONGEST_DELAY = 2000
/** A connection that lasted this long counts as a success: the next delay is the first one again. */
const LASTING = 10_000

/** Requests wait at most `timeout` for Redis, and never for a connection to it. */
export function createRedis(options: RedisOptions): Redis {
  const { current, drop, ...lifecycle } = keepConnected(options)
  return {
    ...lifecycle,
    async attempt(commands, instead) {
      const used = current()
      if (used === null) return instead()
      try {
        return await within(options.timeout, commands(used.client))
      } catch (error) {
        drop(used, messageOf(error))
        return instead()
      }
    },
    isUp: () => current() !== null,
  }
}

/**
 * Any failure ends the connection: an error, an answer that is late, a lost connection. A new one is opened in the
 * background after a delay.
 */
function keepConnected({ open, observe, random = Math.random }: RedisOptions) {
  const listeners: ((connection: RedisConnection) => void)[] = []
  const delays = createDelays(random)
  let connection: RedisConnection | null = null
  let isClosed = false
  let isReported = false
  let since = performance.now()
  let timer: NodeJS.Timeout | undefined
  let opener: Promise<OpenRedis> | null = null

  const failed = (reason: string) => {
    if (isClosed) return
    if (!isReported) observe({ kind: 'redis-down', reason })
    isReported = true
    timer = setTimeout(() => void connect(), delays.next())
    timer.unref()
  }

  /** Only the first failure of a connection counts: closing it fails the commands that still wait. */
  const drop = (dropped: RedisConnection, reason: string) => {
    if (connection !== dropped) return
    connection = null
    dropped.close()
    if (performance.now() - since > LASTING) delays.reset()
    since = performance.now()
    failed(reason)
  }

  const connect = async () => {
    try {
      const opened = await (await (opener ??= open()))()
      if (isClosed) return opened.close()
      opened.onEnd((reason) => drop(opened, reason))
      observe({ kind: 'redis-up', milliseconds: performance.now() - since })
      connection = opened
      isReported = false
      since = performance.now()
      for (const connected of listeners) connected(opened)
    } catch (error) {
      failed(messageOf(error))
    }
  }

  return {
    current: () => connection,
    drop,
    onConnect: (connected: (connection: RedisConnection) => void) => void listeners.push(connected),
    start: () => void connect(),
    close() {
      isClosed = true
      clearTimeout(timer)
      connection?.close()
      connection = null
    },
  }
}

/** Each delay is longer than the one before, and random so that replicas do not come back at the same time. */
function createDelays(random: () => number) {
  let failures = 0
  return {
    next() {
      const longest = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** failures)
      failures += 1
      return longest * (0.5 + random() / 2)
    },
    reset() {
      failures = 0
    },
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

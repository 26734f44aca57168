import type { Database } from '../sql/database.ts'
import { DatabaseError } from '../sql/driver.ts'
import { createPollDelay, jittered } from './poll-delay.ts'
import { digestOf, type SchemaReader, type SchemaReaderOptions } from './schema-reader.ts'
import { createWatch, type Watch } from './watch.ts'

export interface FollowingOptions extends SchemaReaderOptions {
  readonly pollInterval: number
}

/** The schema that is served now. */
interface Served {
  readonly version: () => number | null
  /** null while it is not settled. */
  readonly fingerprint: () => string | null
  readonly reload: () => Promise<unknown>
}

/** Polls for changes by other programs and other replicas. */
export interface Following {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

export function createFollowing(
  database: Database,
  options: FollowingOptions,
  reader: SchemaReader,
  served: Served,
): Following {
  const watch = watchOf(database, options)

  const askForFingerprint = async () => {
    const began = performance.now()
    const fingerprint = await reader.fingerprint()
    return { fingerprint, cost: performance.now() - began }
  }

  const pollAlone = async (): Promise<number> => {
    const { fingerprint, cost } = await askForFingerprint()
    if (fingerprint !== served.fingerprint()) await served.reload()
    return cost
  }

  /** What the watching replica had announced when this one last followed it. */
  let followed: string | null = null

  /** One replica asks for the fingerprint and announces it; the others read the announcement and the version. */
  const pollWith = async (shared: Watch): Promise<number> => {
    const { version, isWatching, announced } = await shared.look()
    const isOutdated = () => version !== served.version() || served.fingerprint() === null
    if (!isWatching) {
      const isNews = announced !== followed && announced !== served.fingerprint()
      if (isNews || isOutdated()) await served.reload()
      followed = announced
      return 0
    }
    const { fingerprint, cost } = await askForFingerprint()
    if (fingerprint !== announced) await shared.announce(fingerprint)
    if (fingerprint !== served.fingerprint() || isOutdated()) await served.reload()
    return cost
  }

  const polling = createPolling(options, () => (watch === null ? pollAlone() : pollWith(watch)))
  return {
    start: () => polling.start(),
    async stop() {
      polling.stop()
      await watch?.release()
    },
  }
}

/** null: this process polls alone, because it must not write, or because polling costs nothing here. */
function watchOf(database: Database, options: FollowingOptions): Watch | null {
  const { isReadOnly, storesNames = true, systemSchema, schemas, pollInterval } = options
  const { watch } = database
  if (watch === null || isReadOnly || !storesNames) return null
  // Replicas that serve other schemas of the same database see other changes.
  const name = schemas === null ? 'watch' : `watch ${digestOf(schemas.toSorted())}`
  return createWatch({ ...database, watch }, systemSchema, name, pollInterval)
}

interface Polling {
  start(): void
  stop(): void
}

/** Polls until it is stopped; `poll` returns its cost in milliseconds, and a higher cost makes polls rarer. */
function createPolling({ pollInterval, observe }: FollowingOptions, poll: () => Promise<number>): Polling {
  const delay = createPollDelay(pollInterval)
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function schedule(cost: number): void {
    if (isStopped) return
    timer = setTimeout(
      () => {
        poll().then(schedule, (error: unknown) => {
          const isOutage = error instanceof DatabaseError && error.fault === 'unavailable'
          observe({ kind: 'poll-failed', error, isOutage })
          schedule(0)
        })
      },
      jittered(delay.after(cost)),
    )
    timer.unref()
  }

  return {
    start: () => schedule(0),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

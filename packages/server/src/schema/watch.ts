import { randomUUID } from 'node:crypto'
import type { Database } from '../sql/database.ts'
import { DatabaseError } from '../sql/driver.ts'
import { createServiceStatements } from '../sql/service/run-service-statement.ts'
import type { Query } from '../sql/sql.ts'

/**
 * The agreement of replicas that one of them watches the catalogue. It holds a lease and announces a changed
 * fingerprint; the others read the announcement only. Two that watch at once cost time, not correctness, so the lease
 * may be short.
 */
export interface Watch {
  /** Reads the current version; takes the lease if no replica has it, and renews it in time. */
  look(): Promise<WatchState>
  /** Tells the other replicas that the catalogue has this fingerprint. */
  announce(fingerprint: string | null): Promise<void>
  release(): Promise<void>
}

export interface WatchState {
  readonly version: number
  readonly isWatching: boolean
  /** The last announced fingerprint; null before the first one. */
  readonly announced: string | null
}

interface LeaseState extends WatchState {
  readonly holder: string | null
  readonly fence: string | null
}

/** In polls. The lease is renewed after so many, and free after so many without a renewal. */
const RENEWAL = 2
const LIFETIME = 5
/** In milliseconds: a busy machine must not make the lease change hands. */
const SHORTEST_LIFETIME = 5000

type WatchedDatabase = Pick<Database, 'driver' | 'dialect' | 'leases'> & {
  readonly watch: NonNullable<Database['watch']>
}

export function createWatch(database: WatchedDatabase, schema: string, name: string, interval: number): Watch {
  const { driver, leases, watch } = database
  const ask = createServiceStatements(database, schema)
  const holder = randomUUID()
  const lifetime = String(Math.max(interval * LIFETIME, SHORTEST_LIFETIME))
  let renewAt = 0
  let fence: string | null = null

  const write = (statement: (schema: string) => Query, values: readonly (string | null)[]) =>
    driver.transaction((transaction) => ask(statement, [name, holder, ...values], transaction))

  const read = async (): Promise<LeaseState> => {
    const [row] = await ask(watch.state, [name])
    const [stamp, held = null, fenceNow = null, announced = null] = row ?? []
    fence = held === holder ? fenceNow : null
    return {
      version: Number.parseInt(stamp ?? '', 10),
      isWatching: held === holder,
      announced,
      holder: held,
      fence: fenceNow,
    }
  }

  const noteRenewal = () => {
    renewAt = performance.now() + interval * RENEWAL
  }

  return {
    async look() {
      const found = await read()
      if (found.holder === null) {
        if (found.fence === null) await write(leases.declare, []).catch(passConflict)
        noteRenewal()
        await write(leases.take, [lifetime]).catch(passConflict)
        return read()
      }
      if (found.isWatching && performance.now() >= renewAt) {
        noteRenewal()
        await write(leases.renew, [lifetime, found.fence]).catch(passConflict)
      }
      return found
    },

    async announce(fingerprint) {
      await driver.transaction((transaction) => ask(watch.announce, [name, fingerprint], transaction))
    },

    async release() {
      if (fence === null || !driver.isReachable) return
      await write(leases.release, [fence]).catch(() => undefined)
      fence = null
    },
  }
}

/** Of two replicas that ask at once on different nodes, one is refused when it commits. */
const passConflict = (error: unknown): void => {
  if (!(error instanceof DatabaseError) || error.fault !== 'conflict') throw error
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@tain/contract'
import { runWith, type Database } from '../sql/database.ts'
import { DatabaseError, type Row, type Transaction } from '../sql/driver.ts'
import type { Query } from '../sql/sql.ts'

/** A lock of all replicas that is held for a limited time, and renewed meanwhile. */
export interface Lease {
  /** Throws if the time has run out: another replica may have the lease. */
  readonly assertHeld: () => void
  /** Renews it as part of a transaction, which fails if another replica has taken the lease. */
  readonly confirm: (transaction: Transaction) => Promise<void>
  readonly release: () => Promise<void>
}

export interface LeaseTimes {
  /** After this long without a renewal the lease is free. */
  readonly lifetime: number
  readonly interval: number
}

/** Longer than a cluster needs to agree on its members after one of them has vanished. */
const TIMES: LeaseTimes = { lifetime: 20_000, interval: 4000 }
const PAUSE = 150

const lost = () =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'The change took too long to reach the database, and another replica went on.',
  )

/** Takes a lease; waits at most this long for it. Null: another replica has it. */
export async function takeLease(
  database: Pick<Database, 'schemaDriver' | 'dialect' | 'leases'>,
  schema: string,
  name: string,
  wait: number,
  { lifetime, interval }: LeaseTimes = TIMES,
): Promise<Lease | null> {
  // Not the connections of requests: a service that is overloaded must not lose its lease.
  const { schemaDriver: driver, dialect, leases } = database
  const holder = randomUUID()
  const write = (statement: Query, values: readonly string[], transaction?: Transaction): Promise<readonly Row[]> =>
    transaction === undefined
      ? driver.transaction((own) => write(statement, values, own))
      : runWith(statement, [name, holder, ...values], transaction, dialect)
  const fenceNow = async (transaction?: Transaction): Promise<string | null> =>
    (await runWith(leases.read(schema), [name, holder], transaction ?? driver, dialect))[0]?.[0] ?? null
  const take = async (): Promise<string | null> => {
    // Two nodes that take it at once disagree when they commit; one of them is refused.
    await write(leases.take(schema), [String(lifetime)]).catch(passConflict)
    return fenceNow()
  }
  await write(leases.declare(schema), []).catch(passConflict)
  let until = 0
  let fence: string | null = null
  for (const end = performance.now() + wait; fence === null; await sleep(PAUSE * (0.5 + Math.random()))) {
    until = performance.now() + lifetime
    fence = await take()
    if (fence !== null || performance.now() > end) break
  }
  if (fence === null) return null
  const held = fence
  const renew = async () => {
    const began = performance.now()
    await write(leases.renew(schema), [String(lifetime), held])
    if ((await fenceNow()) === held) until = began + lifetime
  }
  const timer = setInterval(() => void renew().catch(() => undefined), interval)
  timer.unref()
  const assertHeld = () => {
    if (performance.now() >= until) throw lost()
  }
  return {
    assertHeld,
    async confirm(transaction) {
      assertHeld()
      await write(leases.renew(schema), [String(lifetime), held], transaction)
      if ((await fenceNow(transaction)) !== held) throw lost()
    },
    async release() {
      clearInterval(timer)
      await write(leases.release(schema), [held]).catch(() => undefined)
    },
  }
}

const passConflict = (error: unknown): void => {
  if (!(error instanceof DatabaseError) || error.fault !== 'conflict') throw error
}

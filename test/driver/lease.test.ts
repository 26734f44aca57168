import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeLease, type Lease } from '../../packages/server/src/schema/lease.ts'
import { migrate } from '../../packages/server/src/schema/migrate.ts'
import type { Database } from '../../packages/server/src/sql/database.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import { closeDatabase, connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'

const connect = (url: string): Promise<Database> => connectDatabase(connectOptions(url))

describe.each(testDialects)('a lease on %s', (dialect) => {
  let origin: TestDatabase
  let databases: readonly Database[] = []
  let schema = ''

  beforeAll(async () => {
    origin = await createDatabase(dialect)
    databases = await Promise.all([connect(origin.url), connect(origin.url)])
    schema = databases[0]!.systemSchema('tain')
    await migrate(databases[0]!, schema)
  })

  afterAll(async () => {
    await Promise.all(databases.map(closeDatabase))
    await origin.drop()
  })

  /** One of two replicas takes it; without renewals it lives this long. */
  const take = (replica: number, name: string, wait = 0, lifetime = 60_000): Promise<Lease | null> =>
    takeLease(databases[replica]!, schema, name, wait, { lifetime, interval: 3_600_000 })
  const held = async (lease: Promise<Lease | null>): Promise<Lease> => {
    const found = await lease
    if (found === null) throw new Error('the lease was not taken')
    return found
  }

  test('is held by one replica until it is released', async () => {
    const first = await held(take(0, 'one'))
    expect(await take(1, 'one')).toBeNull()
    expect(await take(0, 'one')).toBeNull()
    await first.release()
    await (await held(take(1, 'one'))).release()
  })

  test('is taken by exactly one of many that ask at once', async () => {
    const leases = await Promise.all(Array.from({ length: 8 }, (_, at) => take(at % 2, 'many')))
    expect(leases.filter((lease) => lease !== null)).toHaveLength(1)
  })

  test('is waited for', async () => {
    const first = await held(take(0, 'waited'))
    const second = take(1, 'waited', 10_000)
    await sleep(300)
    await first.release()
    expect(await second).not.toBeNull()
  })

  test('that ran out is free, and its holder notices before it goes on', async () => {
    const first = await held(take(0, 'late', 0, 400))
    first.assertHeld()
    const second = await held(take(1, 'late', 10_000))
    expect(() => first.assertHeld()).toThrow('another replica went on')
    await expect(databases[0]!.driver.transaction((transaction) => first.confirm(transaction))).rejects.toThrow(
      'another replica went on',
    )
    await databases[1]!.driver.transaction((transaction) => second.confirm(transaction))
    // the release of the old holder leaves the new one's lease alone
    await first.release()
    expect(await take(0, 'late')).toBeNull()
  })

  test('is renewed while it is held', async () => {
    const first = await held(takeLease(databases[0]!, schema, 'kept', 0, { lifetime: 1500, interval: 300 }))
    await sleep(2500)
    first.assertHeld()
    expect(await take(1, 'kept')).toBeNull()
    await first.release()
  })
})

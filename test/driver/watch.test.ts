import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../packages/server/src/schema/migrate.ts'
import { createSchemaCache, type SchemaCache } from '../../packages/server/src/schema/schema-cache.ts'
import type { Database } from '../../packages/server/src/sql/database.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import type { Statement } from '../../packages/server/src/sql/driver.ts'
import { systemCollections } from '../../packages/server/src/system/collections/index.ts'
import { closeDatabase, connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { until } from '../lib/service.ts'

const INTERVAL = 100

/** A replica without protocols: its schema cache, and the statements that it sends. */
interface Replica {
  readonly cache: SchemaCache
  readonly sent: string[]
  /** Ends as a killed process does: nothing is released. */
  readonly vanish: () => Promise<void>
}

const isFingerprint = (text: string) => /md5\(concat_ws/u.test(text)
const isWrite = (text: string) => /^\s*(insert|update|delete)/iu.test(text)

describe.each(testDialects.filter((dialect) => dialect !== 'sqlite'))('replicas that share %s', (dialect) => {
  let origin: TestDatabase
  const running = new Set<Replica>()

  beforeAll(async () => {
    origin = await createDatabase(dialect)
    await origin.query('create table first (id integer primary key)')
    const database = await connect(() => undefined)
    await migrate(database, database.systemSchema('tain'))
    await closeDatabase(database)
  })
  afterEach(async () => {
    for (const { cache, vanish } of running) {
      await cache.stop()
      await vanish()
    }
  })
  afterAll(() => origin.drop())

  const connect = (onStatement: (statement: Statement) => void): Promise<Database> =>
    connectDatabase(connectOptions(origin.url, { onStatement }))

  async function start({ isReadOnly = false, pollInterval = INTERVAL } = {}): Promise<Replica> {
    const sent: string[] = []
    const database = await connect(({ text }) => void sent.push(text))
    const cache = createSchemaCache(database, {
      systemSchema: database.systemSchema('tain'),
      schemas: null,
      isReadOnly,
      pollInterval,
      observe: () => undefined,
      systemCollections,
    })
    await cache.reload()
    sent.length = 0
    const replica: Replica = {
      cache,
      sent,
      async vanish() {
        running.delete(replica)
        await closeDatabase(database)
      },
    }
    running.add(replica)
    return replica
  }

  /** Until nothing is announced any more: some databases know when a table was changed to the second only. */
  const settle = async (replicas: readonly Replica[]) => {
    if (dialect === 'mysql') await sleep(2100)
    await polls(replicas)
    for (const { sent } of replicas) sent.length = 0
  }
  const looks = ({ sent }: Replica) => sent.filter((text) => text.includes('service_watch')).length
  const fingerprints = ({ sent }: Replica) => sent.filter(isFingerprint).length
  const serves = ({ cache }: Replica, name: string) => cache.current()?.collections.has(name) === true
  const untilServed = (replicas: readonly Replica[], name: string) =>
    until(() => replicas.every((replica) => serves(replica, name)), 20, `${name} on all replicas`)
  const watching = (replicas: readonly Replica[]) => replicas.filter((replica) => fingerprints(replica) > 0)
  const untilWatched = (replicas: readonly Replica[]) =>
    until(() => watching(replicas).length > 0, 20, 'a replica that watches')
  /** Until every replica has polled several times more. */
  const polls = async (replicas: readonly Replica[], count = 5) => {
    const begun = new Map(replicas.map((replica) => [replica, looks(replica)]))
    await until(
      () => replicas.every((replica) => looks(replica) >= (begun.get(replica) ?? 0) + count),
      20,
      'further polls',
    )
  }

  test('one asks for the fingerprint, the others for the version alone', async () => {
    const replicas = await Promise.all([start(), start(), start()])
    await untilWatched(replicas)
    await settle(replicas)
    await polls(replicas, 10)
    const others = replicas.filter((replica) => fingerprints(replica) === 0)
    expect(others).toHaveLength(2)
    for (const { sent } of others)
      expect(sent.filter((text) => isWrite(text) || !text.includes('service_version'))).toEqual([])
  })

  test('all of them see what others do to the database', async () => {
    const replicas = await Promise.all([start(), start(), start()])
    await untilWatched(replicas)
    await origin.query('create table seen (id integer primary key)')
    await untilServed(replicas, 'seen')
    expect(replicas.every((replica) => serves(replica, 'seen'))).toBe(true)
  })

  test('another one takes over when the watching one ends', async () => {
    const replicas = await Promise.all([start(), start()])
    await untilWatched(replicas)
    const [holder] = watching(replicas)
    const other = replicas.find((replica) => replica !== holder)!
    await holder!.cache.stop()
    await holder!.vanish()
    await origin.query('create table taken_over (id integer primary key)')
    await untilServed([other], 'taken_over')
    expect(fingerprints(other)).toBeGreaterThan(0)
  })

  test('and when it vanishes', async () => {
    const replicas = await Promise.all([start(), start()])
    await untilWatched(replicas)
    const [holder] = watching(replicas)
    const other = replicas.find((replica) => replica !== holder)!
    await holder!.vanish()
    await origin.query('create table outlived (id integer primary key)')
    await untilServed([other], 'outlived')
    expect(fingerprints(other)).toBeGreaterThan(0)
  })

  test('a change that the new watcher had read at its start is announced to those before it', async () => {
    // Polls so late that the other one holds the lease by then.
    const before = await start({ pollInterval: 4000 })
    await origin.query('create table in_between (id integer primary key)')
    const after = await start()
    expect(serves(after, 'in_between')).toBe(true)
    await untilWatched([after])
    expect(serves(before, 'in_between')).toBe(false)
    await untilServed([before], 'in_between')
  })

  test('a restart announces nothing', async () => {
    const first = await start()
    await untilWatched([first])
    await settle([first])
    const table = dialect === 'postgres' ? 'tain.service_watch' : 'service_watch'
    const announced = () => origin.query(`select fingerprint from ${table} where name = 'watch'`)
    const before = await announced()
    const stamp = await first.cache.stamp()
    await first.cache.stop()
    const second = await start()
    await untilWatched([second])
    await polls([second])
    expect([await announced(), await second.cache.stamp()]).toEqual([before, stamp])
  })

  test('a service that only reads polls the fingerprint itself and writes nothing', async () => {
    const [holder, reader] = await Promise.all([start(), start({ isReadOnly: true })])
    await untilWatched([holder])
    await until(() => fingerprints(reader) > 5, 20, 'polls')
    expect(reader.sent.filter((text) => isWrite(text) || text.includes('service_'))).toEqual([])
    await origin.query('create table read_only (id integer primary key)')
    await untilServed([reader, holder], 'read_only')
  })
})

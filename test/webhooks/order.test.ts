import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../../packages/server/src/schema/migrate.ts'
import type { Database } from '../../packages/server/src/sql/database.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import { createDeliveryStore } from '../../packages/server/src/store/deliveries.ts'
import type { DeliveryEnd, DeliveryStore, LeasedDelivery } from '../../packages/server/src/store/delivery-store.ts'
import { MOST_FAILURES } from '../../packages/server/src/store/receiver-state.ts'
import { closeDatabase, connectOptions } from '../lib/connection.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'

const W = '00000000-0000-4000-8000-000000000001'
const LEASE = 60_000

describe.each(testDialects)('deliveries on %s', (dialect) => {
  let origin: TestDatabase
  let database: Database
  let store: DeliveryStore
  const webhooks = dialect === 'postgres' ? 'tain.service_webhooks' : 'service_webhooks'
  const deliveries = dialect === 'postgres' ? 'tain.service_deliveries' : 'service_deliveries'
  let number = 0

  beforeAll(async () => {
    origin = await createDatabase(dialect)
    database = await connectDatabase(connectOptions(origin.url))
    const schema = database.systemSchema('tain')
    await migrate(database, schema)
    store = createDeliveryStore(database, schema)
    await origin.query(`insert into ${webhooks} (id, name, url, collections, events, fields, secret, epoch, number)
      values ('${W}', 'w', 'http://127.0.0.1/', '["tags"]', '["update"]', '["*"]', 's', 'e', 0)`)
  })
  beforeEach(async () => {
    await origin.query(`delete from ${deliveries}`)
    await origin.query(`update ${webhooks} set failures = 0, failing_since = null, next_probe = null, number = 0`)
    number = 0
  })
  afterAll(async () => {
    await closeDatabase(database)
    await origin.drop()
  })

  /** Adds a delivery of each item, in this order. Their ids are the item and its number. */
  async function add(...items: string[]): Promise<void> {
    const [webhook] = await store.webhooks()
    const counts = new Map<string, number>()
    const rows = items.map((item) => {
      const count = (counts.get(item) ?? 0) + 1
      counts.set(item, count)
      number += 1
      const id = `${item}${count}-${number}`
      return { id, type: 't', collection: 'tags', key: '1', position: 'e-1', number, item, content: '{}' }
    })
    expect(await store.add(webhook!, { epoch: 'e', number }, rows)).toBe(true)
  }
  const take = async (isProbe = false): Promise<readonly LeasedDelivery[]> =>
    (await store.take([{ webhook: W, isProbe }], LEASE)).deliveries
  const end = async (
    given: readonly LeasedDelivery[],
    status: DeliveryEnd['status'] = 'delivered',
    wait: number | null = null,
  ) =>
    store.end(
      given.map((delivery) => ({
        delivery,
        status,
        attempts: '[]',
        wait,
        receiver: status === 'delivered' ? 'taken' : 'failed',
      })),
      { succeeded: [], probe: 0 },
    )
  const idsOf = (found: readonly LeasedDelivery[]) => found.map(({ id }) => id).sort()
  const marked = async () =>
    (await origin.query(`select id from ${deliveries} where due is not null and status = 'waiting' order by id`)).map(
      ([id]) => id,
    )

  test('only the first one of each item is found, and the next one after it has ended', async () => {
    await add('a', 'a', 'b')
    await add('a', 'b', 'c')
    expect(await marked()).toEqual(['a1-1', 'b1-3', 'c1-6'])
    const first = await take()
    expect([idsOf(first), idsOf(await take())]).toEqual([['a1-1', 'b1-3', 'c1-6'], []])
    await end(first)
    expect(await marked()).toEqual(['a2-2', 'b1-5'])
    await end(await take(), 'waiting', 60_000)
    expect([await marked(), await take()]).toEqual([['a2-2', 'b1-5'], []])
    await add('a', 'c')
    expect([await marked(), idsOf(await take())]).toEqual([['a2-2', 'b1-5', 'c1-8'], ['c1-8']])
  })

  test('a delivery that is sent again goes before later ones of its item', async () => {
    await add('a', 'a', 'a')
    await end(await take())
    expect(await store.replay(W, 'a1-1')).toBe(true)
    expect(await marked()).toEqual(['a1-1'])
    await end(await take())
    await end(await take())
    expect(await marked()).toEqual(['a3-3'])
    expect(await store.replayAll(W, { epoch: 'e', after: 0, upTo: 2 })).toBe(2)
    expect(await marked()).toEqual(['a1-1'])
  })

  test('it waits for a later one of its item that is being sent, which then steps back', async () => {
    await add('a', 'a')
    await end(await take())
    const second = await take()
    await store.replay(W, 'a1-1')
    expect([idsOf(second), await take()]).toEqual([['a2-2'], []])
    await end(second, 'waiting', 0)
    expect([await marked(), idsOf(await take())]).toEqual([['a1-1'], ['a1-1']])
  })

  test('an earlier version leaves no marks: they are made later, and deliveries arrive in order', async () => {
    await add('a', 'a', 'b')
    await origin.query(`update ${deliveries} set due = null`)
    expect(await take()).toEqual([])
    const mark = async () => (await store.markFirsts(W, '')).count
    expect([await mark(), await mark(), await marked()]).toEqual([2, 0, ['a1-1', 'b1-3']])
  })

  test('missing marks are made in steps, past items of which very many deliveries wait', async () => {
    await add(...Array.from({ length: 1500 }, () => 'a'), 'b', 'c')
    await origin.query(`update ${deliveries} set due = null where item <> 'a'`)
    const first = await store.markFirsts(W, '')
    expect(first).toEqual({ count: 0, next: 'a' })
    expect(await store.markFirsts(W, first.next ?? '')).toEqual({ count: 2, next: null })
    expect(await marked()).toEqual(['a1-1', 'b1-1501', 'c1-1502'])
  })

  test('an item of which a later delivery is being sent gets no second mark', async () => {
    await add('a', 'a')
    await end(await take())
    await take()
    await origin.query(
      `update ${deliveries} set status = 'waiting', next_attempt = '2020-01-01 00:00:00.000' where id = 'a1-1'`,
    )
    expect([(await store.markFirsts(W, '')).count, await marked()]).toEqual([0, ['a2-2']])
  })

  test('a receiver fails after failures in a row, is tried with one delivery, and recovers with the first it takes', async () => {
    await add(...Array.from({ length: MOST_FAILURES + 2 }, (_, at) => `item${at}`))
    const all = await take()
    await store.release(all.slice(MOST_FAILURES))
    expect(await end(all.slice(0, MOST_FAILURES - 1), 'waiting', 0)).toEqual({ failing: [], recovered: [] })
    expect(await end(all.slice(MOST_FAILURES - 1, MOST_FAILURES), 'waiting', 0)).toEqual({
      failing: [W],
      recovered: [],
    })
    await origin.query(`update ${webhooks} set next_probe = failing_since`)
    const tried = await take(true)
    expect([tried.length, (await take(true)).length]).toEqual([1, 0])
    expect(await end(tried, 'waiting', 0)).toEqual({ failing: [], recovered: [] })
    expect((await store.webhooks())[0]?.failing).not.toBeNull()
    await origin.query(`update ${webhooks} set next_probe = failing_since`)
    const { failing, recovered } = await end(await take(true))
    expect([failing, recovered.map(({ webhook }) => webhook)]).toEqual([[], [W]])
    expect((await store.webhooks())[0]?.failing).toBeNull()
    expect(await take()).toHaveLength(MOST_FAILURES + 1)
  })

  test('what has been due for too long is given up, an item after the other', async () => {
    await add('a', 'a', 'b')
    expect(await store.giveUp(W, 60_000)).toBe(false)
    for (const isMore of [true, true, false]) expect(await store.giveUp(W, -60_000)).toBe(isMore)
    expect(await origin.query(`select count(*) from ${deliveries} where status = 'dead'`)).toEqual([['3']])
    expect(await origin.query(`select dead_count from ${webhooks}`)).toEqual([['3']])
  })

  test('old deliveries are removed until none is left, and newer ones stay', async () => {
    await add(...Array.from({ length: 1001 }, (_, at) => `item${at}`))
    await origin.query(`update ${deliveries} set status = 'delivered', due = null, ended = '2020-01-01 00:00:00.000'`)
    await add('new')
    await end(await take())
    expect([await store.removeOld(), await store.removeOld()]).toEqual([true, false])
    expect(await origin.query(`select count(*) from ${deliveries}`)).toEqual([['1']])
  })

  test('a receiver that wants nothing more loses what waits, some at a time, and begins anew when it is active again', async () => {
    await add('kept')
    await end(await take())
    await add(...Array.from({ length: 1500 }, (_, at) => `item${at}`))
    await store.disable(W)
    expect(await origin.query(`select id from ${deliveries}`)).toEqual([['kept1-1']])
    expect((await store.webhooks())[0]).toMatchObject({ status: 'disabled', cursor: null })
    await origin.query(`update ${webhooks} set status = 'active', epoch = 'e', number = 0`)
    number = 0
    await add('a')
    expect(idsOf(await take())).toEqual(['a1-1'])
  })

  test('when more is due is known for each webhook', async () => {
    expect(await store.dueTimes([W])).toEqual([{ webhook: W, isDue: false, wait: null }])
    await add('a', 'b')
    expect(await store.dueTimes([W])).toEqual([{ webhook: W, isDue: true, wait: null }])
    await end(await take(), 'waiting', 30_000)
    const [time] = await store.dueTimes([W])
    expect([time?.isDue, (time?.wait ?? 0) > 0 && (time?.wait ?? 0) <= 30_000]).toEqual([false, true])
  })
})

import type { Database } from '../sql/database.ts'
import type { Row } from '../sql/driver.ts'
import { DUE_TIMES_SIZES, MOST_DUE_TIMES, TAKEN_AT_ONCE } from '../sql/service/deliveries.ts'
import { REMOVED_AT_ONCE } from '../sql/service/service-dialect.ts'
import { endPart } from './delivery-ends.ts'
import { findFirsts, idRows, markAnew } from './delivery-order.ts'
import type {
  DeliveryAccess,
  DeliveryStore,
  DueTime,
  LeasedDelivery,
  NewDelivery,
  StoredWebhook,
} from './delivery-store.ts'
import { createServiceStatements, inTransaction } from '../sql/service/run-service-statement.ts'

/** Rows of one statement have about so many characters. */
const MOST_CHARACTERS = 4 * 1024 ** 2
const MOST_ROWS = 500

export function createDeliveryStore(database: Database, systemSchema: string): DeliveryStore {
  const access: DeliveryAccess = {
    statements: database.deliveries,
    ask: createServiceStatements(database, systemSchema),
    transact: (work) => inTransaction(database.driver, work),
  }
  return { ...webhookPart(access), ...takePart(access), ...endPart(access), ...replayPart(access) }
}

const webhookPart = ({
  statements,
  ask,
  transact,
}: DeliveryAccess): Pick<DeliveryStore, 'webhooks' | 'add' | 'begin' | 'drop' | 'disable' | 'rotate'> => ({
  webhooks: async () => (await ask(statements.webhooks)).map(webhookIn),
  add: (webhook, to, deliveries) =>
    transact(async (transaction) => {
      const [row] = await ask(statements.cursor, [webhook.id], transaction)
      const [epoch = null, number = null, ordinal] = row ?? []
      if (row === undefined || epoch !== webhook.cursor?.epoch || Number(number) !== webhook.cursor.number) return false
      const first = Number(ordinal ?? 0) + 1
      const last = String(first + deliveries.length - 1)
      const found = await findFirsts({ statements, ask }, webhook.id, itemsOf(deliveries), transaction)
      const occupied = new Set(found.map(({ item }) => item))
      for (const rows of chunks(rowsOf({ webhook: webhook.id, epoch: to.epoch, first, occupied }, deliveries)))
        await ask(statements.insert, [`[${rows.join(',')}]`], transaction)
      await ask(statements.moveCursor, [webhook.id, to.epoch, String(to.number), last], transaction)
      return true
    }),
  begin: (webhook, at) =>
    transact(async (transaction) => {
      const [row] = await ask(statements.cursor, [webhook], transaction)
      if (row === undefined || (row[0] ?? null) !== null || row[3] === 'disabled') return
      await ask(statements.moveCursor, [webhook, at.epoch, String(at.number), row[2] ?? '0'], transaction)
    }),
  drop: (webhook) => drop({ statements, ask, transact }, webhook),
  async disable(webhook) {
    await transact(async (transaction) => void (await ask(statements.disable, [webhook], transaction)))
    await drop({ statements, ask, transact }, webhook)
  },
  rotate: (webhook, secret) =>
    transact(async (transaction) => void (await ask(statements.rotate, [webhook, secret], transaction))),
})

/** A cursor says that there is still something to remove, so this goes on after a failure. */
async function drop({ statements, ask, transact }: DeliveryAccess, webhook: string): Promise<void> {
  const dropSome = () =>
    transact(async (transaction) => {
      const [row] = await ask(statements.cursor, [webhook], transaction)
      if (row?.[3] !== 'disabled') return false
      const count = await ask(statements.dropSome, [webhook], transaction)
      if (Number(count.at(-1)?.[0]) === REMOVED_AT_ONCE) return true
      await ask(statements.drop, [webhook], transaction)
      await ask(statements.clearCursor, [webhook], transaction)
      return false
    })
  while (await dropSome());
}

const takePart = ({
  statements,
  ask,
  transact,
}: DeliveryAccess): Pick<DeliveryStore, 'dueTimes' | 'take' | 'release'> => ({
  async dueTimes(webhooks) {
    const times: DueTime[] = []
    for (let at = 0; at < webhooks.length; at += MOST_DUE_TIMES) {
      const some = webhooks.slice(at, at + MOST_DUE_TIMES)
      const size = DUE_TIMES_SIZES.find((each) => each >= some.length) ?? MOST_DUE_TIMES
      const rows = await ask(statements.dueTimes[size], some)
      times.push(...rows.filter(([id]) => (id ?? null) !== null).map(dueTimeIn))
    }
    return times
  },
  take: (wanted, lease) =>
    transact(async (transaction) => {
      const rows: Row[] = []
      for (const { webhook, isProbe } of wanted) {
        if (rows.length >= TAKEN_AT_ONCE) break
        if (isProbe) {
          const [found] = await ask(statements.probe, [webhook], transaction)
          if (found === undefined) continue
          // Another one only after this one has ended, unless its process dies.
          await ask(statements.moveProbe, [webhook, String(lease)], transaction)
        }
        rows.push(...(await ask(isProbe ? statements.firstDue : statements.due, [webhook], transaction)))
      }
      if (rows.length > 0)
        await ask(statements.lease, [idRows(rows.map(([id]) => id ?? '')), String(lease)], transaction)
      return { time: Number(rows[0]?.[6] ?? 0), deliveries: rows.map(leasedIn) }
    }),
  release: (deliveries) =>
    transact(async (transaction) => {
      const rows = deliveries.map(({ id, fence }) => ({ sent_id: id, sent_fence: String(fence) }))
      await ask(statements.release, [JSON.stringify(rows)], transaction)
    }),
})

const replayPart = ({ statements, ask, transact }: DeliveryAccess): Pick<DeliveryStore, 'replay' | 'replayAll'> => ({
  replay: (webhook, delivery) =>
    transact(async (transaction) => {
      await ask(statements.cursor, [webhook], transaction)
      const [found] = await ask(statements.find, [webhook, delivery], transaction)
      if (found === undefined) return false
      await ask(statements.replay, [webhook, delivery], transaction)
      await markAnew({ statements, ask }, webhook, [found[0] ?? ''], transaction)
      await ask(statements.countDead, [JSON.stringify([webhook])], transaction)
      return true
    }),
  replayAll: (webhook, { epoch, after, upTo }) =>
    transact(async (transaction) => {
      await ask(statements.cursor, [webhook], transaction)
      const range = [webhook, epoch, String(after), String(upTo)]
      const count = Number((await ask(statements.countReplayed, range, transaction))[0]?.[0] ?? 0)
      const items = (await ask(statements.itemsIn, range, transaction)).map(([item]) => item ?? '')
      await ask(statements.replayAll, range, transaction)
      await markAnew({ statements, ask }, webhook, items, transaction)
      await ask(statements.countDead, [JSON.stringify([webhook])], transaction)
      return count
    }),
})

interface Adding {
  readonly webhook: string
  readonly epoch: string
  readonly first: number
  /** Items that deliveries wait for already. */
  readonly occupied: ReadonlySet<string>
}

const itemsOf = (deliveries: readonly NewDelivery[]): readonly string[] => [
  ...new Set(deliveries.map(({ item }) => item)),
]

function* rowsOf({ webhook, epoch, first, occupied }: Adding, deliveries: readonly NewDelivery[]): Generator<string> {
  const seen = new Set(occupied)
  for (const [index, { number, ...delivery }] of deliveries.entries()) {
    const leads = seen.has(delivery.item) ? null : 'true'
    seen.add(delivery.item)
    const ordinal = String(first + index)
    yield JSON.stringify({ ...delivery, webhook, epoch, number: String(number), ordinal, leads })
  }
}

function* chunks(rows: Iterable<string>): Generator<readonly string[]> {
  let chunk: string[] = []
  let size = 0
  for (const row of rows) {
    if (chunk.length === MOST_ROWS || (size > 0 && size + row.length > MOST_CHARACTERS)) {
      yield chunk
      chunk = []
      size = 0
    }
    chunk.push(row)
    size += row.length
  }
  if (chunk.length > 0) yield chunk
}

const webhookIn = ([
  id,
  url,
  status,
  collections,
  events,
  fields,
  filter,
  user,
  headers,
  secret,
  previousSecret,
  epoch,
  number,
  failingFor,
  probe,
]: Row): StoredWebhook => ({
  id: id ?? '',
  url: url ?? '',
  status: status ?? '',
  collections: collections ?? '[]',
  events: events ?? '[]',
  fields: fields ?? '[]',
  filter: filter ?? null,
  user: user ?? null,
  headers: headers ?? null,
  secret: secret ?? '',
  previousSecret: previousSecret ?? null,
  cursor: (epoch ?? null) === null ? null : { epoch: epoch ?? '', number: Number(number) },
  failing: (failingFor ?? null) === null ? null : { since: Number(failingFor), probe: Number(probe ?? 0) },
})

const dueTimeIn = ([webhook, isDue, wait]: Row): DueTime => ({
  webhook: webhook ?? '',
  isDue: (isDue ?? null) !== null,
  wait: (wait ?? null) === null ? null : Math.max(0, Number(wait)),
})

const leasedIn = ([id, webhook, fence, tries, attempts, content, , item]: Row): LeasedDelivery => ({
  id: id ?? '',
  webhook: webhook ?? '',
  fence: Number(fence) + 1,
  tries: Number(tries),
  attempts: attempts ?? '[]',
  content: content ?? '',
  item: item ?? '',
})

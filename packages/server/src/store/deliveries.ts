import type { Database } from '../sql/database.ts'
import type { Row, Transaction } from '../sql/driver.ts'
import {
  createServiceStatements,
  inTransaction,
  type RunServiceStatement,
} from '../sql/service/run-service-statement.ts'

/** A webhook as the service uses it. JSON columns are texts; secrets and headers are sealed. */
export interface StoredWebhook {
  readonly id: string
  readonly url: string
  readonly status: string
  readonly collections: string
  readonly events: string
  readonly fields: string
  readonly filter: string | null
  readonly user: string | null
  readonly headers: string | null
  readonly secret: string
  /** Signs too; null: the last rotation is long ago. */
  readonly previousSecret: string | null
  /** The last change of the log that became deliveries; null: none yet. */
  readonly cursor: Cursor | null
}

export interface Cursor {
  readonly epoch: string
  readonly number: number
}

export interface NewDelivery {
  readonly id: string
  readonly type: string
  readonly collection: string
  readonly key: string
  readonly position: string
  readonly number: number
  /** Deliveries with the same are sent one after the other. */
  readonly item: string
  /** The body to send. */
  readonly content: string
}

/** A delivery that only the holder of this lease sends. */
export interface LeasedDelivery {
  readonly id: string
  readonly webhook: string
  readonly fence: number
  readonly tries: number
  /** JSON. */
  readonly attempts: string
  readonly content: string
}

/** What came of a delivery. */
export interface DeliveryEnd {
  readonly delivery: LeasedDelivery
  readonly status: 'waiting' | 'delivered' | 'dead'
  readonly attempts: string
  /** Milliseconds until the next attempt; null: there is none. */
  readonly wait: number | null
}

export interface DeliveryStore {
  webhooks(): Promise<readonly StoredWebhook[]>
  /**
   * Adds the deliveries of changes and moves the cursor past them, both or none. False: the cursor is no longer where it
   * was.
   */
  add(webhook: StoredWebhook, to: Cursor, deliveries: readonly NewDelivery[]): Promise<boolean>
  /** Lets a webhook without a cursor begin here. */
  begin(webhook: string, at: Cursor): Promise<void>
  /** A disabled webhook forgets what waits, and where it was. */
  drop(webhook: string): Promise<void>
  /** Leases deliveries that are due, for so many milliseconds; `time`: the milliseconds since 1970 then. */
  take(webhooks: readonly string[], lease: number): Promise<Taken>
  /** Late answers have no effect: another replica has the delivery. */
  end(ends: readonly DeliveryEnd[], noted: { readonly succeeded: readonly string[] }): Promise<void>
  /** The same, and from now on. */
  disable(webhook: string): Promise<void>
  rotate(webhook: string, secret: string): Promise<void>
  /** Has a delivery sent again; false: there is none. */
  replay(webhook: string, delivery: string): Promise<boolean>
  /** Has all deliveries of an epoch sent again; returns how many. */
  replayAll(
    webhook: string,
    range: { readonly epoch: string; readonly after: number; readonly upTo: number },
  ): Promise<number>
  removeOld(): Promise<void>
  /** Milliseconds until something more is due; null: nothing will be. */
  nextDue(): Promise<number | null>
}

export interface Taken {
  readonly time: number
  readonly deliveries: readonly LeasedDelivery[]
}

/** Rows of one statement have about so many characters. */
const MOST_CHARACTERS = 4 * 1024 ** 2
const MOST_ROWS = 500

interface Access {
  readonly statements: Database['deliveries']
  readonly ask: RunServiceStatement
  readonly transact: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
}

export function createDeliveryStore(database: Database, systemSchema: string): DeliveryStore {
  const access: Access = {
    statements: database.deliveries,
    ask: createServiceStatements(database, systemSchema),
    transact: (work) => inTransaction(database.driver, work),
  }
  return { ...webhookPart(access), ...sendPart(access), ...replayPart(access) }
}

const webhookPart = ({
  statements,
  ask,
  transact,
}: Access): Pick<DeliveryStore, 'webhooks' | 'add' | 'begin' | 'drop' | 'disable' | 'rotate'> => ({
  webhooks: async () => (await ask(statements.webhooks)).map(webhookIn),
  add: (webhook, to, deliveries) =>
    transact(async (transaction) => {
      const [row] = await ask(statements.cursor, [webhook.id], transaction)
      const [epoch = null, number = null, ordinal] = row ?? []
      if (row === undefined || epoch !== webhook.cursor?.epoch || Number(number) !== webhook.cursor.number) return false
      const first = Number(ordinal ?? 0) + 1
      const last = String(first + deliveries.length - 1)
      for (const rows of chunks(rowsOf(webhook.id, to.epoch, first, deliveries)))
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
  drop: (webhook) =>
    transact(async (transaction) => {
      const [row] = await ask(statements.cursor, [webhook], transaction)
      if (row?.[3] !== 'disabled') return
      await ask(statements.drop, [webhook], transaction)
      await ask(statements.clearCursor, [webhook], transaction)
    }),
  disable: (webhook) =>
    transact(async (transaction) => {
      await ask(statements.disable, [webhook], transaction)
      await ask(statements.drop, [webhook], transaction)
    }),
  rotate: (webhook, secret) =>
    transact(async (transaction) => void (await ask(statements.rotate, [webhook, secret], transaction))),
})

const sendPart = ({
  statements,
  ask,
  transact,
}: Access): Pick<DeliveryStore, 'take' | 'end' | 'removeOld' | 'nextDue'> => ({
  take: (webhooks, lease) =>
    transact(async (transaction) => {
      const rows = await ask(statements.due, [JSON.stringify(webhooks)], transaction)
      const ids = JSON.stringify(rows.map(([id]) => id))
      if (rows.length > 0) await ask(statements.lease, [ids, String(lease)], transaction)
      return { time: Number(rows[0]?.[6] ?? 0), deliveries: rows.map(leasedIn) }
    }),
  end: (ends, { succeeded }) =>
    transact(async (transaction) => {
      await ask(statements.end, [JSON.stringify(ends.map(endRow))], transaction)
      const failed = webhooksOf(ends.filter(({ status }) => status !== 'delivered'))
      const dead = webhooksOf(ends.filter(({ status }) => status === 'dead'))
      if (succeeded.length > 0) await ask(statements.succeeded, [JSON.stringify(succeeded)], transaction)
      if (failed.length > 0) await ask(statements.failed, [JSON.stringify(failed)], transaction)
      if (dead.length > 0) await ask(statements.countDead, [JSON.stringify(dead)], transaction)
    }),
  removeOld: () =>
    transact(async (transaction) => {
      await ask(statements.removeDelivered, [], transaction)
      await ask(statements.removeDead, [], transaction)
    }),
  async nextDue() {
    const wait = (await ask(statements.nextDue))[0]?.[0] ?? null
    return wait === null ? null : Math.max(0, Number(wait))
  },
})

const replayPart = ({ statements, ask, transact }: Access): Pick<DeliveryStore, 'replay' | 'replayAll'> => ({
  replay: (webhook, delivery) =>
    transact(async (transaction) => {
      const [found] = await ask(statements.find, [webhook, delivery], transaction)
      if (found === undefined) return false
      await ask(statements.replay, [webhook, delivery], transaction)
      await ask(statements.countDead, [JSON.stringify([webhook])], transaction)
      return true
    }),
  replayAll: (webhook, { epoch, after, upTo }) =>
    transact(async (transaction) => {
      const range = [webhook, epoch, String(after), String(upTo)]
      const count = Number((await ask(statements.countReplayed, range, transaction))[0]?.[0] ?? 0)
      await ask(statements.replayAll, range, transaction)
      await ask(statements.countDead, [JSON.stringify([webhook])], transaction)
      return count
    }),
})

const webhooksOf = (ends: readonly DeliveryEnd[]): readonly string[] => [
  ...new Set(ends.map(({ delivery }) => delivery.webhook)),
]

const endRow = ({ delivery: { id, fence, tries }, status, attempts, wait }: DeliveryEnd) => ({
  sent_id: id,
  sent_fence: String(fence),
  new_status: status,
  new_tries: String(tries + 1),
  new_attempts: attempts,
  new_wait: wait === null ? null : String(Math.round(wait)),
})

function* rowsOf(webhook: string, epoch: string, first: number, deliveries: readonly NewDelivery[]): Generator<string> {
  for (const [index, { number, ...delivery }] of deliveries.entries())
    yield JSON.stringify({ ...delivery, webhook, epoch, number: String(number), ordinal: String(first + index) })
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
})

const leasedIn = ([id, webhook, fence, tries, attempts, content]: Row): LeasedDelivery => ({
  id: id ?? '',
  webhook: webhook ?? '',
  fence: Number(fence) + 1,
  tries: Number(tries),
  attempts: attempts ?? '[]',
  content: content ?? '',
})

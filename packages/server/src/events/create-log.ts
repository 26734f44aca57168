import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../cluster/bus.ts'
import type { Failpoints } from '../lib/failpoint.ts'
import { pieces } from '../lib/pieces.ts'
import type { Observe } from '../observe.ts'
import { takeLease } from '../schema/lease.ts'
import { EVERYTHING } from '../schema/mirror.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { Database } from '../sql/database.ts'
import type { Row } from '../sql/driver.ts'
import { AT_ONCE, MOST_AT_ONCE } from '../sql/service/events.ts'
import { createServiceStatements, inTransaction } from '../sql/service/run-service-statement.ts'
import type { EventLog, Following, LogHead, LogQuery } from './event-log.ts'
import { createFollowing } from './follow.ts'
import { createInterests } from './interest.ts'
import type { ChangeKind, LoggedChange, NewChange } from './logged-change.ts'
import { createNews } from './news.ts'
import { removeOldest, type Retention } from './retention.ts'
import { createSequencer } from './sequencer.ts'

export interface EventLogOptions {
  readonly database: Database
  readonly systemSchema: string
  readonly schemaCache: Pick<SchemaCache, 'current' | 'atLeast'>
  readonly bus: Bus
  readonly retention: Retention
  /** Whether the changes of all collections are kept, although nobody may listen. */
  readonly capturesAll: boolean
  readonly observe: Observe
  readonly failpoints: Failpoints | null
}

/** How often old changes are removed, and interests renewed. */
const UPKEEP = 60_000
/** Interests of a process that renews them late are not forgotten. */
const SHORTEST_INTEREST = 5 * UPKEEP
const START_PAUSE = 20
const RETRY_PAUSE = 500

/** The log of changes in the database. */
export function createEventLog(options: EventLogOptions): EventLog {
  const { database, systemSchema, schemaCache, bus, observe } = options
  const { events } = database
  const ask = createServiceStatements(database, systemSchema)
  const news = createNews()
  const append = createAppend(ask, events)
  const lifetime = Math.max(options.retention.age, SHORTEST_INTEREST)
  const interests = createInterests({ database, systemSchema, schemaCache, lifetime, append })
  const upkeep = createUpkeep(options, interests)

  const { look, headIn, renewEpoch } = createHead(options, ask, news.tell)

  const onMoved = () => {
    news.tell()
    bus.publish('moved')
  }
  const following = createFollowing({
    sequencer: createSequencer(database, systemSchema, options.failpoints),
    look: lookForNews(look, news.tell),
    onMoved,
    isWatched: () => news.hasListeners() || isCapturing(schemaCache),
    onFailure: (error) => observe({ kind: 'event-task-failed', task: 'sequence', error }),
  })
  bus.onMessage(() => news.tell())

  return {
    head: look,
    async now() {
      await following.settled()
      return look()
    },
    changes: createChanges(ask, events),
    async following(after) {
      const rows = await ask(events.following, [String(after)])
      return followingIn(rows, await headIn(rows[0] ?? []))
    },
    onNews: news.listen,
    hurry: following.hurry,
    capture: interests.listen,
    capturedSince: async (name) =>
      interests.since(name, schemaCache.current()?.collections.get(name)?.isSystem === true),
    append,
    told: onMoved,
    heard: () => Promise.resolve(),
    settled: following.settled,
    renewEpoch,
    start() {
      following.start()
      upkeep.start()
    },
    async stop() {
      await upkeep.stop()
      await following.stop()
    },
  }
}

/** How many columns of a row are the head's. */
const HEAD_COLUMNS = 7

interface SeenHead extends LogHead {
  /** Whether something waits for a position. */
  readonly isWaiting: boolean
  /** Whether the epoch began by this look. */
  readonly isRenewed: boolean
}

/** The head of the log, and its epoch. */
function createHead({ database: { events, driver }, observe }: EventLogOptions, ask: Ask, onRenewed: () => void) {
  /** Without a reason, the log is new: nobody has a position of it. */
  const renew = async (reason: string | null, old: string) => {
    const epoch = randomBytes(6).toString('hex')
    await inTransaction(driver, (transaction) => ask(events.renewEpoch, [epoch, old], transaction))
    if (reason !== null) observe({ kind: 'epoch-renewed', reason })
    onRenewed()
  }
  const headIn = async (row: Row): Promise<SeenHead> => {
    const [epoch, position, oldest, identity, now, , isWaiting] = row
    if (identity !== now) {
      await renew((identity ?? null) === null ? null : 'the database was replaced', epoch ?? '')
      return { ...(await look()), isRenewed: true }
    }
    return {
      epoch: epoch ?? '',
      number: Number(position),
      oldest: Number(oldest),
      isWaiting: isWaiting === '1',
      isRenewed: false,
    }
  }
  const look = async (): Promise<SeenHead> => {
    const [row = []] = await ask(events.head)
    return headIn(row)
  }
  return { look, headIn, renewEpoch: async (reason: string) => renew(reason, (await look()).epoch) }
}

/** Tells if the head has moved; true: something waits for a position. */
function lookForNews(look: () => Promise<SeenHead>, tell: () => void): () => Promise<boolean> {
  let known = ''
  return async () => {
    const { epoch, number, isWaiting } = await look()
    if (`${epoch} ${number}` !== known) {
      known = `${epoch} ${number}`
      tell()
    }
    return isWaiting
  }
}

/** The changes beside the head. A new epoch has nothing to do with what was read before it. */
function followingIn(rows: readonly Row[], head: SeenHead): Following {
  const changes = rows.flatMap((row) => (row[HEAD_COLUMNS] === null ? [] : changeIn(row.slice(HEAD_COLUMNS))))
  return { head, changes: head.isRenewed ? [] : changes, isPart: changes.length === AT_ONCE }
}

const isCapturing = (schemaCache: Pick<SchemaCache, 'current'>): boolean => {
  for (const { capturedSince } of schemaCache.current()?.collections.values() ?? [])
    if (capturedSince !== null) return true
  return false
}

type Ask = ReturnType<typeof createServiceStatements>

const createChanges =
  (ask: Ask, events: Database['events']): EventLog['changes'] =>
  async ({ after, upTo = Number.MAX_SAFE_INTEGER, most, collection }: LogQuery) => {
    const found: LoggedChange[] = []
    while (found.length < most) {
      const from = String(found.at(-1)?.position ?? after)
      const rows =
        collection === undefined
          ? await ask(events.changes, [from, String(upTo)])
          : await ask(events.changesOf, [from, String(upTo), collection])
      for (const row of rows) found.push(changeIn(row))
      if (rows.length < AT_ONCE) break
    }
    return found.slice(0, most)
  }

const changeIn = ([position, write, collection, key, kind, before, after, user, at]: Row): LoggedChange => ({
  position: Number(position),
  write: write ?? '',
  collection: collection ?? '',
  key: key ?? '',
  kind: kind as ChangeKind,
  before: before ?? null,
  after: after ?? null,
  user: user ?? null,
  at: at ?? '',
})

const sizeOf = ({ before, after }: NewChange): number => (before?.length ?? 0) + (after?.length ?? 0) + 200

const createAppend =
  (ask: Ask, events: Database['events']): EventLog['append'] =>
  async (changes, transaction) => {
    await ask(events.awaitHead, [], transaction)
    const [head] = await ask(events.head, [], transaction)
    let position = Number(head?.[1] ?? 0)
    for (const some of pieces(changes, { count: AT_ONCE, size: MOST_AT_ONCE }, sizeOf)) {
      const rows = some.map(({ key, ...change }: NewChange) => ({
        ...change,
        item: key,
        position: String((position += 1)),
      }))
      const bytes = some.reduce((sum, change) => sum + sizeOf(change), 0)
      await ask(events.append, [JSON.stringify(rows)], transaction)
      await ask(events.advance, [String(position), String(bytes)], transaction)
    }
  }

/** What the log needs now and then, whoever listens. */
function createUpkeep(
  { database, systemSchema, schemaCache, retention, capturesAll, observe }: EventLogOptions,
  interests: ReturnType<typeof createInterests>,
) {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  const state = { isStopped: false }

  const clean = async () => {
    const lease = await takeLease(database, systemSchema, 'log of changes', 0)
    if (lease === null) return
    try {
      await removeOldest(database, systemSchema, retention)
      await interests.forget()
    } finally {
      await lease.release()
    }
  }
  const attempt = (task: string, work: () => Promise<unknown>) =>
    work().then(
      () => true,
      (error: unknown) => {
        observe({ kind: 'event-task-failed', task, error })
        return false
      },
    )

  /** The tables are there once the schema is. */
  async function captureAll(): Promise<void> {
    while (schemaCache.current() === null && !state.isStopped) await sleep(START_PAUSE, undefined, { ref: false })
    while (!state.isStopped && !(await attempt('capture', () => interests.listen([EVERYTHING]))))
      await sleep(RETRY_PAUSE, undefined, { ref: false })
  }

  return {
    start() {
      if (capturesAll) running = captureAll()
      timer = setInterval(() => {
        running = running.then(async () => {
          await attempt('renew', interests.renew)
          await attempt('clean', clean)
        })
      }, UPKEEP)
      timer.unref()
    },
    async stop() {
      state.isStopped = true
      if (timer !== null) clearInterval(timer)
      await running
    },
  }
}

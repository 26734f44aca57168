import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase, TestDialect } from '../lib/databases.ts'
import { dataOf, startService, SECRET, TOKEN, type ServiceProcess } from '../lib/service.ts'
import { createPlace } from './campaign-database.ts'
import { createHistory, historyOf, loggedSteps, TABLES, type History } from './history.ts'
import { quotedIn, tableIn, untilCaptured } from './log.ts'
import { writeOutside } from './outside-writer.ts'
import { differences, forbidden, startSubscriber, type Subscriber } from './subscriber.ts'

export interface CampaignOptions {
  readonly dialect: TestDialect
  /** Changes that are to be made. */
  readonly changes: number
  /** A quarter of them are other programs, where the database lets the service hear of these. */
  readonly writers: number
  readonly replicas: number
  /** Half of them see everything, the others a third of the rows. */
  readonly subscribers: number
  /** Milliseconds between two kills of replicas, and of each subscriber; null: nobody is killed. */
  readonly killEach: number | null
  /** The campaign stops earlier than this. */
  readonly seconds: number
  /** Rows of one request. */
  readonly batch: number
  readonly seed: number
}

export interface CampaignResult {
  readonly changes: number
  /** Of replicas, of other programs, of subscribers. */
  readonly kills: number
  readonly programKills: number
  readonly breaks: number
  /** Times at which a subscriber was told that it cannot go on: too much has happened meanwhile. */
  readonly anew: number
  readonly seconds: number
  /** Items whose steps differ between the database and the log. */
  readonly different: readonly string[]
  readonly lostNotes: number
  readonly inventedNotes: number
  readonly gaps: number
  readonly torn: readonly string[]
  /** Times at which a reader saw a position before an earlier one. */
  readonly overtaken: number
  /** States that subscribers were told. */
  readonly told: number
  /** Rows that a subscriber does not have as they are, at the end. */
  readonly missed: readonly string[]
  /** Rows of others, states that never were, and states older than one that was told before. */
  readonly forbidden: readonly string[]
  readonly odd: readonly string[]
}

const ITEMS = 400
const PATIENCE = 120_000

/** The same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Stage {
  readonly database: TestDatabase
  readonly suicide: string | null
  readonly services: (ServiceProcess | null)[]
  readonly start: (index: number) => Promise<void>
  readonly next: () => number
  readonly state: { isOver: boolean; made: number; kills: number; programKills: number; marks: number }
  readonly odd: string[]
}

export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { database, settings, suicide } = await createPlace(options.dialect)
  const environment = {
    DATABASE_URL: database.url,
    SECRET,
    ADMIN_TOKEN: TOKEN,
    EVENTS_ENABLED: 'true',
    EVENTS_CAPTURE: 'all',
    EVENTS_RETENTION_SIZE: '20gb',
    MAX_BATCH_MUTATION: '10000',
    RATE_LIMITER_ENABLED: 'false',
    WEBSOCKETS_ENABLED: 'true',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const services: (ServiceProcess | null)[] = []
  const stage: Stage = {
    database,
    suicide,
    services,
    start: async (index) => void (services[index] = await startService(environment)),
    next: random(options.seed),
    state: { isOver: false, made: 0, kills: 0, programKills: 0, marks: 0 },
    odd: [],
  }
  let subscribers: readonly Subscriber[] = []
  try {
    await createHistory(database)
    for (let index = 0; index < options.replicas; index += 1) await stage.start(index)
    await untilCaptured(database)
    subscribers = await startSubscribers(stage, options)
    return await work(stage, subscribers, options)
  } finally {
    stage.state.isOver = true
    await Promise.all(subscribers.map(({ stop }) => stop()))
    await Promise.all(services.map(async (service) => service?.stop('SIGKILL')))
    await database.drop()
  }
}

/** The rows of the limited user: the rule is on a field that the user may not read. */
async function createLimitedUser(service: ServiceProcess): Promise<string> {
  const send = async (path: string, body: object) =>
    dataOf(await service.send('POST', path, body)) as { readonly id: string }
  const policy = (await send('/policies', { name: 'limited' })).id
  for (const collection of TABLES)
    await send('/permissions', {
      policy,
      collection,
      action: 'read',
      fields: ['id', 'mark'],
      permissions: { level: { _eq: 1 } },
    })
  const role = (await send('/roles', { name: 'limited', policies: [{ policy }] })).id
  const token = 'token-of-the-limited-user'
  await send('/users', { email: 'limited@example.com', role, token })
  return token
}

async function startSubscribers(stage: Stage, options: CampaignOptions): Promise<readonly Subscriber[]> {
  const { services, next } = stage
  const [service] = services
  if (service === null || service === undefined) throw new Error('no replica is there')
  const limited = await createLimitedUser(service)
  const subscribers = Array.from({ length: options.subscribers }, (_, index) =>
    startSubscriber({
      name: `subscriber ${index}`,
      seesAll: index % 2 === 0,
      token: index % 2 === 0 ? TOKEN : limited,
      address: () => services[Math.floor(next() * services.length)]?.url ?? null,
      next,
      killEach: options.killEach === null ? null : 2 * options.killEach,
      readNotes: async () => (await stage.database.query('select id from notes')).map(([id]) => id ?? ''),
    }),
  )
  await Promise.all(subscribers.map(({ began }) => began))
  return subscribers
}

/** Everybody writes, is killed and listens; then all of it is compared with what the database has recorded. */
async function work(
  stage: Stage,
  subscribers: readonly Subscriber[],
  options: CampaignOptions,
): Promise<CampaignResult> {
  const { state, database } = stage
  const began = performance.now()
  const overtaken = watch(stage)
  const killer = options.killEach === null ? Promise.resolve() : kill(stage, options.killEach)
  const writers = Array.from({ length: options.writers }, (_, index) => write(index, stage, options))
  const clock = sleep(options.seconds * 1000, undefined, { ref: false }).then(() => (state.isOver = true))
  await Promise.race([Promise.all(writers), clock])
  state.isOver = true
  await Promise.all(writers)
  await killer
  const seconds = (performance.now() - began) / 1000
  await untilQuiet(stage)
  const missed = await untilTold(database, subscribers)
  const history = await historyOf(database)
  return {
    ...(await judge(stage, history)),
    seconds,
    kills: state.kills,
    programKills: state.programKills,
    breaks: subscribers.reduce((sum, { breaks }) => sum + breaks(), 0),
    anew: subscribers.reduce((sum, { anew }) => sum + anew(), 0),
    overtaken: await overtaken,
    told: subscribers.flatMap(({ told }) => [...told.values()]).reduce((sum, marks) => sum + marks.length, 0),
    missed,
    forbidden: subscribers.flatMap((subscriber) => forbidden(subscriber, history)),
    odd: [...stage.odd, ...subscribers.flatMap(({ odd }) => odd)],
  }
}

/** What subscribers miss once they have had time to hear of everything. */
async function untilTold(database: TestDatabase, subscribers: readonly Subscriber[]): Promise<readonly string[]> {
  for (const end = performance.now() + PATIENCE; ; await sleep(500)) {
    const missed = await differences(database, subscribers)
    if (missed.length === 0 || performance.now() > end) return missed
  }
}

/** Every fourth writer is another program, if the service can hear it. */
async function write(index: number, stage: Stage, options: CampaignOptions): Promise<void> {
  const { state, next, suicide, database } = stage
  const { changes } = options
  if (index % 4 !== 3 || suicide === null) return writeThroughService(index, stage, options)
  await writeOutside({
    url: database.url,
    suicide,
    next,
    index,
    items: ITEMS,
    isOver: () => state.isOver || state.made >= changes,
    made: (count) => void (state.made += count),
    killed: () => void (state.programKills += 1),
  })
}

/** Writes lists of new notes, and creates, changes and deletes a few contended rows. */
async function writeThroughService(index: number, stage: Stage, { batch, changes }: CampaignOptions): Promise<void> {
  const { state, next, services } = stage
  for (let turn = 0; !state.isOver && state.made < changes; turn += 1) {
    const service = services[Math.floor(next() * services.length)]
    if (service === null || service === undefined) {
      await sleep(20)
      continue
    }
    const [method, path, body] = request(index, turn, batch, stage)
    const answer = await service.send(method, path, body).catch(() => null)
    if (answer === null) continue
    // A row that another writer has deleted or created meanwhile; a database that is busy with the killed one.
    if (answer.status >= 500 && answer.status !== 503)
      stage.odd.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`)
    if (answer.status < 300) state.made += Array.isArray(body) ? body.length : 1
  }
}

function request(
  index: number,
  turn: number,
  batch: number,
  { next, state }: Stage,
): readonly [string, string, unknown] {
  const dice = next()
  const item = 1 + Math.floor(next() * ITEMS)
  const mark = () => ({ mark: `${index}-${(state.marks += 1)}`, level: Math.floor(next() * 3) })
  const table = next() < 0.75 ? 'things' : 'mixed'
  if (dice < 0.5) {
    const notes = Array.from({ length: batch }, (_, n) => ({
      id: `${index}-${turn}-${n}-${Math.floor(next() * 1e9)}`,
      text: 'a note',
    }))
    return ['POST', '/items/notes?fields=id', notes]
  }
  if (dice < 0.8) {
    const first = Math.floor(next() * (ITEMS - 8))
    const things = Array.from({ length: 8 }, (_, n) => ({ id: first + n + 1, ...mark() }))
    return ['PATCH', `/items/${table}?fields=id`, things]
  }
  if (dice < 0.9) return ['PATCH', `/items/${table}/${item}?fields=id`, { ...mark(), padding: 'x'.repeat(100) }]
  if (dice < 0.95) return ['DELETE', `/items/${table}/${item}`, undefined]
  return ['POST', `/items/${table}?fields=id`, [{ id: item, ...mark() }]]
}

/** Kills one replica after the other, at any moment of what it does. */
async function kill({ services, start, next, state }: Stage, each: number): Promise<void> {
  while (!state.isOver) {
    await sleep(each * (0.5 + next()))
    if (state.isOver) return
    const index = Math.floor(next() * services.length)
    const service = services[index]
    services[index] = null
    await service?.stop('SIGKILL')
    state.kills += 1
    await start(index)
  }
}

/** A reader that follows the log: whatever it sees after a position has to be the next one. */
async function watch({ database, state }: Stage): Promise<number> {
  const table = tableIn(database, 'service_events')
  let [last, overtaken] = [0, 0]
  while (!state.isOver) {
    await sleep(5)
    const rows = await database.query(
      `select position from ${table} where position > ${last} order by position limit 5000`,
    )
    for (const [position] of rows) {
      if (Number(position) !== last + 1) overtaken += 1
      last = Number(position)
    }
  }
  return overtaken
}

/** Nothing waits for a position, and what other programs have written has come. */
async function untilQuiet({ database, suicide }: Stage): Promise<void> {
  const events = tableIn(database, 'service_events')
  if (suicide !== null) await database.query(`insert into notes values ('the last one', '')`)
  const isQuiet = async () => {
    const [row] = await database.query(`select count(*) from ${tableIn(database, 'service_outbox')}`)
    if (Number(row?.[0]) !== 0) return false
    const last = `select 1 from ${events} where item = 'the last one' and collection = 'notes'`
    return suicide === null || (await database.query(last)).length > 0
  }
  for (const end = performance.now() + 10 * PATIENCE; !(await isQuiet()); await sleep(200))
    if (performance.now() > end) throw new Error('changes wait for positions and get none')
}

/** The changes of tables that have one kind of writer. */
const inOrder = (steps: ReadonlyMap<string, readonly string[]>): string[] =>
  [...steps.keys()].filter((item) => !item.startsWith('mixed/'))

async function judge({ database }: Stage, { steps: expected }: History) {
  const { steps, notes, gaps, count, torn } = await loggedSteps(database, tableIn(database, 'service_events'), (name) =>
    quotedIn(database, name),
  )
  const different = [...new Set([...inOrder(expected), ...steps.keys()])].filter(
    (item) => (expected.get(item) ?? []).join() !== (steps.get(item) ?? []).join(),
  )
  const stored = new Set((await database.query('select id from notes')).map(([id]) => id))
  const told = new Set(notes)
  return {
    changes: count,
    different,
    gaps,
    torn,
    lostNotes: [...stored].filter((id) => !told.has(id ?? '')).length,
    inventedNotes: notes.filter((id) => !stored.has(id)).length + notes.length - told.size,
  }
}

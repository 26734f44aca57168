import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type TestDatabase, type TestDialect } from '../databases.ts'
import { startService, SECRET, TOKEN, type Service } from '../service.ts'
import { createHistory, loggedSteps, stepsOf } from './history.ts'
import { quotedIn, tableIn, untilCaptured } from './log.ts'

export interface CampaignOptions {
  readonly dialect: TestDialect
  /** Changes that are to be made. */
  readonly changes: number
  readonly writers: number
  readonly replicas: number
  /** Milliseconds between two kills; null: nobody is killed. */
  readonly killEach: number | null
  /** The campaign stops earlier than this. */
  readonly seconds: number
  /** Rows of one request. */
  readonly batch: number
  readonly seed: number
}

export interface CampaignResult {
  readonly changes: number
  readonly kills: number
  readonly seconds: number
  /** Items whose steps differ between the database and the log. */
  readonly different: readonly string[]
  readonly lostNotes: number
  readonly inventedNotes: number
  readonly gaps: number
  readonly torn: readonly string[]
  /** Times at which a reader saw a position before an earlier one. */
  readonly overtaken: number
  readonly odd: readonly string[]
}

const ITEMS = 400

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
  readonly services: (Service | null)[]
  readonly start: (index: number) => Promise<void>
  readonly next: () => number
  readonly state: { isOver: boolean; made: number; kills: number; marks: number }
  readonly odd: string[]
}

export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const database = await createDatabase(options.dialect)
  await createHistory(database)
  const environment = {
    DATABASE_URL: database.url,
    SECRET,
    ADMIN_TOKEN: TOKEN,
    EVENTS_ENABLED: 'true',
    EVENTS_CAPTURE: 'all',
    EVENTS_RETENTION_SIZE: '20gb',
    MAX_BATCH_MUTATION: '10000',
    RATE_LIMITER_ENABLED: 'false',
  }
  const services: (Service | null)[] = []
  const stage: Stage = {
    database,
    services,
    start: async (index) => void (services[index] = await startService(environment)),
    next: random(options.seed),
    state: { isOver: false, made: 0, kills: 0, marks: 0 },
    odd: [],
  }
  try {
    for (let index = 0; index < options.replicas; index += 1) await stage.start(index)
    await untilCaptured(database)
    // Every replica has read that somebody listens once it has written.
    const began = performance.now()
    const overtaken = watch(stage)
    const killer = options.killEach === null ? Promise.resolve() : kill(stage, options.killEach)
    const writers = Array.from({ length: options.writers }, (_, index) => write(index, stage, options))
    const clock = sleep(options.seconds * 1000, undefined, { ref: false }).then(() => (stage.state.isOver = true))
    await Promise.race([Promise.all(writers), clock])
    stage.state.isOver = true
    await Promise.all(writers)
    await killer
    const seconds = (performance.now() - began) / 1000
    await untilQuiet(stage)
    return { ...(await judge(stage)), seconds, kills: stage.state.kills, overtaken: await overtaken, odd: stage.odd }
  } finally {
    stage.state.isOver = true
    await Promise.all(services.map(async (service) => service?.stop('SIGKILL')))
    await database.drop()
  }
}

/** Writes lists of new notes, and creates, changes and deletes a few contended things. */
async function write(index: number, stage: Stage, { batch, changes }: CampaignOptions): Promise<void> {
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
  const mark = () => `${index}-${(state.marks += 1)}`
  if (dice < 0.5) {
    const notes = Array.from({ length: batch }, (_, n) => ({
      id: `${index}-${turn}-${n}-${Math.floor(next() * 1e9)}`,
      text: 'a note',
    }))
    return ['POST', '/items/notes?fields=id', notes]
  }
  if (dice < 0.8) {
    const first = Math.floor(next() * (ITEMS - 8))
    const things = Array.from({ length: 8 }, (_, n) => ({ id: first + n + 1, mark: mark() }))
    return ['PATCH', '/items/things?fields=id', things]
  }
  if (dice < 0.9) return ['PATCH', `/items/things/${item}?fields=id`, { mark: mark(), padding: 'x'.repeat(100) }]
  if (dice < 0.95) return ['DELETE', `/items/things/${item}`, undefined]
  return ['POST', '/items/things?fields=id', Array.from({ length: 1 }, () => ({ id: item, mark: mark() }))]
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

async function untilQuiet({ database }: Stage): Promise<void> {
  for (let tries = 0; tries < 3000; tries += 1) {
    const [row] = await database.query(`select count(*) from ${tableIn(database, 'service_outbox')}`)
    if (Number(row?.[0]) === 0) return
    await sleep(100)
  }
  throw new Error('changes wait for positions and get none')
}

async function judge({ database }: Stage) {
  const expected = await stepsOf(database)
  const { steps, notes, gaps, count, torn } = await loggedSteps(database, tableIn(database, 'service_events'), (name) =>
    quotedIn(database, name),
  )
  const different = [...new Set([...expected.keys(), ...steps.keys()])].filter(
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

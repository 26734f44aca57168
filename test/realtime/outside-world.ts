import { createConnection } from 'mysql2/promise'
import { pino } from 'pino'
import { Client } from 'pg'
import { createCore } from '../../packages/server/src/app/core.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import type { EventLog } from '../../packages/server/src/events/event-log.ts'
import type { NewChange } from '../../packages/server/src/events/logged-change.ts'
import { createOutside, type Outside, type OutsideParts } from '../../packages/server/src/events/outside.ts'
import type { Observation } from '../../packages/server/src/observe.ts'

/** A log in memory: what was appended in transactions that were committed, and the epochs that began. */
export interface MemoryLog extends EventLog {
  readonly appended: NewChange[]
  readonly epochs: string[]
}

export function memoryLog(): MemoryLog {
  const appended: NewChange[] = []
  const epochs: string[] = []
  const unused = () => Promise.reject(new Error('not used'))
  return {
    appended,
    epochs,
    head: unused,
    now: unused,
    changes: unused,
    following: unused,
    onNews: () => () => undefined,
    hurry: () => undefined,
    capture: () => Promise.resolve(() => undefined),
    told: () => undefined,
    heard: async () => undefined,
    settled: async () => undefined,
    capturedSince: () => Promise.resolve(0),
    append: async (changes) => void appended.push(...changes),
    renewEpoch: async (reason) => void epochs.push(reason),
    start: () => undefined,
    stop: () => Promise.resolve(),
  }
}

export interface World {
  readonly log: MemoryLog
  readonly observed: Observation[]
  readonly outside: Outside
  readonly sql: (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>
  /** All rows of a collection as responses show them. */
  readonly rows: (collection: string, sort: string) => Promise<readonly unknown[]>
  readonly close: () => Promise<void>
}

/** Another program on the database. */
export interface Program extends Pick<World, 'sql'> {
  readonly end: () => Promise<void>
}

async function connectToPostgres(url: string): Promise<Program> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return {
    sql: async (text, values = []) => (await client.query<Record<string, unknown>>(text, [...values])).rows,
    end: () => client.end(),
  }
}

async function connectToMariadb(url: string): Promise<Program> {
  const connection = await createConnection({
    uri: url,
    multipleStatements: true,
    timezone: 'Z',
    charset: 'UTF8MB4_BIN',
  })
  connection.on('error', () => undefined)
  await connection.query(`set session time_zone = '+00:00'`)
  return {
    async sql(text, values = []) {
      const [answer] = await connection.query(text, [...values] as string[])
      return Array.isArray(answer) ? (answer as unknown as readonly Record<string, unknown>[]) : []
    },
    end: () => connection.end(),
  }
}

export const connectTo = (url: string): Promise<Program> =>
  url.startsWith('mysql:') ? connectToMariadb(url) : connectToPostgres(url)

/** The core of a service on a database, and the reader of its log. */
export async function startWorld(
  url: string,
  tables: string,
  settings: Readonly<Record<string, string>> = {},
  given: Partial<OutsideParts> = {},
): Promise<World> {
  const client = await connectTo(url)
  if (tables !== '') await client.sql(tables)
  const observed: Observation[] = []
  const config = readConfig({
    DATABASE_URL: url,
    SECRET: 'x'.repeat(32),
    LOG_LEVEL: 'silent',
    EVENTS_OUTSIDE: 'auto',
    ...settings,
  })
  const core = await createCore(config, pino({ level: 'silent' }), {
    observe: () => (observation) => void observed.push(observation),
  })
  await core.start()
  const log = memoryLog()
  const outside = createOutside({
    mode: config.outside,
    slot: config.eventSlot,
    isUnbounded: config.isSlotUnbounded,
    database: core.context.database,
    systemSchema: core.context.systemSchema,
    schemaCache: core.parts.schemaCache,
    log,
    isCaptured: () => true,
    isWanted: () => true,
    observe: core.context.observe,
    failpoints: null,
    ...given,
  })
  outside.start()
  return {
    log,
    observed,
    outside,
    sql: client.sql,
    async rows(collection, sort) {
      const pieces = await core.operator.exportRows(
        collection,
        { sort: [sort], limit: -1 },
        { format: 'json', onRows: () => undefined },
      )
      let text = ''
      for await (const piece of pieces) text += piece
      return JSON.parse(text) as unknown[]
    },
    async close() {
      await outside.stop()
      await core.close()
      await client.end()
    },
  }
}

import { pino } from 'pino'
import type { Actor } from '../../packages/server/src/access/actor.ts'
import { createApp } from '../../packages/server/src/app.ts'
import type { Core } from '../../packages/server/src/app/core.ts'
import type { Engine } from '../../packages/server/src/engine/engine.ts'
import type { EventLog } from '../../packages/server/src/events/event-log.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { queryKeyOf } from '../../packages/server/src/query/keyed-query.ts'
import { parseQuery } from '../../packages/server/src/query/parse-query.ts'
import { createHub } from '../../packages/server/src/realtime/create-hub.ts'
import type { Audience, Hub, Told, Wish } from '../../packages/server/src/realtime/hub.ts'
import { createDatabase, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { createMemoryLog, type MemoryLog } from './memory-log.ts'

const TOKEN = 'realtime-test-token'

export interface Listener {
  readonly told: Told[]
  /** The next thing it is told, in short: kind and data. */
  readonly next: (within?: number) => Promise<readonly [string, unknown]>
  /** Fails if it is told anything meanwhile. */
  readonly quiet: (milliseconds?: number) => Promise<void>
  readonly audience: { current: Actor | null } & Audience
  readonly close: () => void
}

export interface Reply {
  readonly status: number
  readonly data: unknown
}

/** A service and a hub in this process, over a log in memory. */
export interface Stage {
  readonly database: TestDatabase
  readonly log: MemoryLog
  readonly hub: Hub
  readonly core: Core
  readonly errors: unknown[]
  readonly send: (method: string, url: string, payload?: unknown) => Promise<Reply>
  /** A user with these permissions; returns the token. */
  readonly user: (grants: readonly object[]) => Promise<{ token: string; id: string; policy: string }>
  readonly actor: (token: string | null) => Promise<Actor>
  /** Somebody who listens already may listen to more. */
  readonly listen: (
    token: string | null,
    wish: Partial<WishForm> & { collection: string },
    audience?: Listener['audience'],
  ) => Promise<Listener>
  readonly close: () => Promise<void>
}

export interface WishForm extends Omit<Wish, 'query'> {
  readonly query: Readonly<Record<string, unknown>>
}

/** Changes what a hub is created with, to see whether a test notices. */
export type Mutation = (engine: Engine, log: EventLog) => { readonly engine: Engine; readonly log: EventLog }

const unchanged: Mutation = (engine, log) => ({ engine, log })

export async function openStage(dialect: TestDialect, tables: string, mutation = unchanged): Promise<Stage> {
  const database = await createDatabase(dialect)
  await database.query(tables)
  const config = readConfig({
    DATABASE_URL: database.url,
    ADMIN_TOKEN: TOKEN,
    SECRET: 'realtime-test-secret-realtime-test',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'a long enough password',
    SHUTDOWN_DELAY: '0',
  })
  const log = createMemoryLog()
  const app = await createApp(config, pino({ level: 'silent' }), { changeConsumers: [log.consumer] })
  await app.start()
  const core = app as unknown as Core
  const { engine, authentication, limits } = core.parts
  const errors: unknown[] = []
  const hub = createHub({ ...mutation(engine, log), liveInterval: 50, onError: (error) => errors.push(error) })
  hub.start()

  const send: Stage['send'] = async (method, url, payload) => {
    const answer = await app.server.inject({
      method: method as 'POST',
      url,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    })
    log.commit(answer.statusCode < 400)
    return { status: answer.statusCode, data: answer.body === '' ? null : answer.json<{ data: unknown }>().data }
  }
  const actor = async (token: string | null) => authentication.authenticate({ token, address: '127.0.0.1' })
  let users = 0
  return {
    database,
    log,
    hub,
    core,
    errors,
    send,
    actor,
    async user(grants) {
      users += 1
      const token = `token-${users}-${'x'.repeat(20)}`
      const policy = idOf(await send('POST', '/policies', { name: `policy ${users}` }))
      for (const grant of grants) await done(send('POST', '/permissions', { ...grant, policy }))
      const role = idOf(await send('POST', '/roles', { name: `role ${users}`, policies: [{ policy }] }))
      const email = `user${users}@example.com`
      const id = idOf(await send('POST', '/users', { email, password: 'a long enough password', role, token }))
      return { token, id, policy }
    },
    async listen(token, form, given) {
      const audience = given ?? audienceOf(await actor(token ?? TOKEN))
      const told: Told[] = []
      const query = parseQuery(form.query ?? {}, limits)
      const wish: Wish = {
        isSystem: false,
        event: null,
        item: null,
        from: null,
        since: null,
        isLive: false,
        hasInit: true,
        hasKeys: false,
        tellsPositions: false,
        ...form,
        query: { ...query, queryKey: queryKeyOf(query.query) },
      }
      const { close } = await hub.subscribe(audience, wish, (each) => told.push(each))
      return { ...listenerOf(told), audience, close }
    },
    async close() {
      await hub.stop()
      await app.close()
      await database.drop()
    },
  }
}

export const audienceOf = (actor: Actor): Listener['audience'] => {
  const audience = { current: actor as Actor | null, actor: () => audience.current }
  return audience
}

const idOf = ({ status, data }: Reply): string => {
  if (status !== 200) throw new Error(`not created: ${status}`)
  return (data as { id: string }).id
}

async function done(reply: Promise<Reply>): Promise<void> {
  const { status } = await reply
  if (status >= 400) throw new Error(`refused: ${status}`)
}

function listenerOf(told: Told[]): Pick<Listener, 'told' | 'next' | 'quiet'> {
  let heard = 0
  return {
    told,
    async next(within = 5000) {
      const deadline = Date.now() + within
      while (told.length <= heard) {
        if (Date.now() > deadline) throw new Error(`told nothing more than ${JSON.stringify(told)}`)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      const each = told[heard]
      heard += 1
      return each === undefined ? ['', null] : short(each)
    },
    async quiet(milliseconds = 100) {
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      if (told.length > heard) throw new Error(`told ${JSON.stringify(told.slice(heard))}`)
    },
  }
}

/** What a listener hears, without the form it is told in. */
function short(told: Told): readonly [string, unknown] {
  if (told.kind === 'error') return ['error', told.error.code]
  if (told.kind === 'position') return ['position', told.position]
  return [told.kind, told.data === null ? null : JSON.parse(told.data)]
}

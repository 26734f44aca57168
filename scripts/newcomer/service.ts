import { ok } from 'node:assert/strict'
import { pino } from 'pino'
import type * as AppModule from '../../packages/server/src/app.ts'
import type * as ConfigModule from '../../packages/server/src/config.ts'
import { createDatabase, testDialects, type TestDialect } from '../../test/lib/databases.ts'
import { SERVER } from './change.ts'
import type { Copy } from './copy.ts'

type App = Awaited<ReturnType<(typeof AppModule)['createApp']>>

const TOKEN = 'newcomer-admin-token'

const NOTES = `create table notes (id integer primary key, body varchar(20));
  insert into notes (id, body) values (1, 'Apple'), (2, 'grape'), (3, 'plum')`

/** A service that runs the code of a copy. */
export interface Service {
  /** A request of an administrator; a response other than 2xx fails. */
  readonly ask: (method: 'GET' | 'POST', url: string, payload?: object) => Promise<unknown>
  readonly graphql: (query: string, path?: '/graphql' | '/graphql/system') => Promise<unknown>
  readonly server: App['server']
}

/** `prepare` may add routes: the server does not listen yet. */
export async function withService(
  { load }: Copy,
  dialect: TestDialect,
  work: (service: Service) => Promise<void>,
  prepare: (server: App['server']) => void = () => {},
): Promise<void> {
  const { createApp } = await load<typeof AppModule>(`${SERVER}/app.ts`)
  const { readConfig } = await load<typeof ConfigModule>(`${SERVER}/config.ts`)
  const database = await createDatabase(dialect)
  // Only a server that listens keeps the process alive.
  const alive = setInterval(() => {}, 1000)
  try {
    await database.query(NOTES)
    const config = readConfig({ DATABASE_URL: database.url, ADMIN_TOKEN: TOKEN, SHUTDOWN_DELAY: '0' })
    const app = await createApp(config, pino({ level: 'silent' }))
    try {
      prepare(app.server)
      await app.start()
      await work(serviceOf(app))
    } finally {
      await app.close()
    }
  } finally {
    clearInterval(alive)
    await database.drop()
  }
}

function serviceOf({ server }: App): Service {
  const ask: Service['ask'] = async (method, url, payload) => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const answer = await server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    ok(answer.statusCode < 300, `${method} ${url}: ${answer.statusCode} ${answer.body}`)
    return (JSON.parse(answer.body) as { readonly data: unknown }).data
  }
  return { server, ask, graphql: (query, path = '/graphql') => ask('POST', path, { query }) }
}

export async function onEveryDatabase(copy: Copy, work: (service: Service) => Promise<void>): Promise<string> {
  for (const dialect of testDialects) await withService(copy, dialect, work)
  return testDialects.join(', ')
}

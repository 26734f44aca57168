import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp, type App } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { migrate } from '../../packages/server/src/schema/migrate.ts'
import {
  createServer,
  serverThat,
  type Capabilities,
  type Server,
} from '../../packages/server/src/sql/dialects/postgres/capabilities.ts'
import { connectPostgres } from '../../packages/server/src/sql/dialects/postgres/connect.ts'
import type { Statement } from '../../packages/server/src/sql/driver.ts'
import { stepsOf } from '../../packages/server/src/sql/sql.ts'
import { connectOptions } from '../lib/connection.ts'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'

const TOKEN = 'other-engine-admin-token'

/** Every answer is the one that PostgreSQL does not give, so that its other path runs on a real server. */
const other: Capabilities = {
  locks: 'lease',
  rowVersion: 'hash',
  fingerprint: 'content',
  skipLocked: false,
  qualifiedNames: false,
}

describe('an engine without the abilities of PostgreSQL', () => {
  let database: TestDatabase
  let apps: readonly App[] = []
  const texts: string[] = []

  beforeAll(async () => {
    database = await createDatabase('postgres')
    await database.query(`create table notes (id int primary key, body text, price numeric);
      insert into notes values (1, 'one', 1.50), (2, 'two', null)`)
    const config = readConfig({ DATABASE_URL: database.url, ADMIN_TOKEN: TOKEN, SHUTDOWN_DELAY: '0' })
    const start = async () => {
      const onStatement = ({ text }: Statement) => void texts.push(text)
      const app = await createApp(config, pino({ level: 'silent' }), {
        connect: async (given) => connectPostgres({ ...given, onStatement }, serverThat(other)),
      })
      await app.start()
      return app
    }
    apps = await Promise.all([start(), start(), start()])
  })

  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()))
    await database.drop()
  })

  const send = async (
    at: number,
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    payload?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await apps[at]!.server.inject({
      method,
      url,
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: answer.statusCode, etag: answer.headers.etag, body: answer.body }
  }

  test('is prepared once by replicas that start together', async () => {
    expect(await database.query('select count(*) from tain.service_users')).toEqual([['1']])
    expect(await database.query('select count(*) from tain.service_version')).toEqual([['1']])
  })

  test('refuses changes of an outdated row, whose version is a hash of its values', async () => {
    const { etag } = await send(0, 'GET', '/items/notes/1')
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/u)
    expect((await send(1, 'GET', '/items/notes/1')).etag).toBe(etag)
    const change = (body: string) => send(1, 'PATCH', '/items/notes/1', { body }, { 'if-match': String(etag) })
    expect((await change('mine')).status).toBe(200)
    expect((await change('again')).status).toBe(412)
  })

  test('changes the schema under a lease, one replica after another', async () => {
    const made = await Promise.all(
      [0, 1, 2].map((at) => send(at, 'POST', '/fields/notes', { field: `added_${at}`, type: 'string' })),
    )
    expect(made.map(({ status, body }) => [status, body.includes('errors')])).toEqual([
      [200, false],
      [200, false],
      [200, false],
    ])
    expect(await database.query(`select fence from tain.service_locks where name = 'structure'`)).toEqual([['3']])
  })

  test('shows a column that another program added', async () => {
    await database.query('alter table notes add column outside text')
    await expect
      .poll(async () => (await send(2, 'GET', '/items/notes/1')).body, { timeout: 20_000 })
      .toContain('outside')
  })

  test('is never asked for what it cannot do', () => {
    expect(texts.length).toBeGreaterThan(50)
    expect(texts.filter((text) => /advisory|skip locked/iu.test(text))).toEqual([])
    expect(texts.filter((text) => /\bxmin\b/u.test(text))).toEqual([])
  })

  test('removes what has expired, without skipping rows', async () => {
    const server = serverThat(other)
    const connected = connectPostgres(connectOptions(database.url, { poolMax: 2 }), server)
    const texts = stepsOf(connected.sessions.removeExpired('tain')).map((step) => connected.dialect.compile(step).text)
    expect(texts.join('\n')).not.toContain('skip locked')
    await Promise.all(
      [connected.driver, connected.schemaDriver, connected.backgroundDriver].map((each) => each.close()),
    )
  })
})

describe('the server', () => {
  test('is asked once what it is, before its first statement', async () => {
    const database = await createDatabase('postgres')
    const told: string[] = []
    const known = createServer()
    const server: Server = {
      get can() {
        return known.can
      },
      get isMet() {
        return known.isMet
      },
      meet(version) {
        told.push(version)
        known.meet(version)
      },
    }
    const connected = connectPostgres(connectOptions(database.url, { poolMax: 2 }), server)
    try {
      await migrate(connected, 'tain')
      await connected.schemaDriver.query({ text: 'select 1', values: [] })
      expect(told).toHaveLength(1)
      expect(told[0]).toContain('PostgreSQL')
    } finally {
      await Promise.all(
        [connected.driver, connected.schemaDriver, connected.backgroundDriver].map((each) => each.close()),
      )
      await database.drop()
    }
  })
})

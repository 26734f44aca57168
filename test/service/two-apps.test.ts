import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createApp, type App } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { createDatabase, testDialects, type TestDatabase, type TestDialect } from '../lib/databases.ts'

const TOKEN = 'two-apps-admin-token'
const POLICY = '0b7d5f0e-3c1a-4a52-9a0e-6f1f5b1f0c11'

describe.each(testDialects)('two apps in one process (%s)', (dialect) => {
  test('answer under their own rules, with policies of the same key and permissions of the same version', async () => {
    const [open, narrow] = [await start(dialect), await start(dialect)]
    try {
      await allow(open.app, null)
      await allow(narrow.app, { id: { _eq: 1 } })
      expect(await keysOf(open.app)).toEqual([1, 2, 3])
      expect(await keysOf(narrow.app)).toEqual([1])
      expect(await keysOf(open.app)).toEqual([1, 2, 3])
      expect((await ask(narrow.app, 'PATCH', '/items/notes/2', { body: 'x' }, null)).statusCode).toBe(403)
    } finally {
      for (const { app, database } of [open, narrow]) {
        await app.close()
        await database.drop()
      }
    }
  })
})

async function start(dialect: TestDialect): Promise<{ app: App; database: TestDatabase }> {
  const database = await createDatabase(dialect)
  await database.query(`create table notes (id integer primary key, body varchar(20));
    insert into notes (id, body) values (1, 'a'), (2, 'b'), (3, 'c')`)
  const config = readConfig({ DATABASE_URL: database.url, ADMIN_TOKEN: TOKEN, SHUTDOWN_DELAY: '0' })
  const app = await createApp(config, pino({ level: 'silent' }))
  await app.start()
  return { app, database }
}

const ask = (app: App, method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, token: string | null = TOKEN) =>
  app.server.inject({
    method,
    url,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { payload }),
  })

async function allow(app: App, rule: object | null): Promise<void> {
  const grants = ['read', 'update'].map((action) => ({
    collection: 'notes',
    action,
    fields: ['*'],
    permissions: rule,
  }))
  const made = await ask(app, 'POST', '/policies', { id: POLICY, name: 'Everyone', permissions: grants })
  expect(made.statusCode).toBe(200)
  expect((await ask(app, 'POST', '/access', { policy: POLICY, role: null, user: null })).statusCode).toBe(200)
}

async function keysOf(app: App): Promise<unknown[]> {
  const answer = await ask(app, 'GET', '/items/notes?fields=id', undefined, null)
  expect(answer.statusCode).toBe(200)
  return (JSON.parse(answer.body) as { data: { id: number }[] }).data.map(({ id }) => id)
}

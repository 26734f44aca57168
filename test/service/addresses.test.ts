import { addresses } from '@tain/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp, type App } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { routesOf } from '../lib/routes.ts'
import { TOKEN } from '../lib/service.ts'
import { createAdminFixture, type AdminFixture } from './admin-fixture.ts'

let database: TestDatabase
let admin: AdminFixture
let app: App

beforeAll(async () => {
  database = await createDatabase()
  admin = await createAdminFixture()
  const config = readConfig({
    DATABASE_URL: database.url,
    ADMIN_TOKEN: TOKEN,
    WEBSOCKETS_ENABLED: 'true',
    EXTENSIONS_PATH: 'extensions',
  })
  app = await createApp(config, pino({ level: 'silent' }), { adminFolder: admin.folder })
  await app.server.ready()
})

afterAll(async () => {
  await app.close()
  await database.drop()
  await admin.remove()
})

/** A wildcard without a route above it is listed without its beginning: only that of extensions is one. */
const unnamed = (route: string) => route.replace(/ \/\*$/u, ' /extensions/*').replaceAll(/:\w+/gu, ':')

const declared = new Set(addresses.map(({ method, path }) => unnamed(`${method} ${path}`)))

/**
 * Fastify answers HEAD for every GET, the GraphQL endpoints answer that they have no other method, and OPTIONS tells what
 * resumable uploads can do.
 */
const isExtra = (route: string) =>
  /^HEAD |^OPTIONS \/files\/tus|^(PUT|PATCH|DELETE|SEARCH|QUERY) \/graphql(\/system)?$/u.test(route)

test('every route of the service is an address of the contract, and every address has a route', () => {
  const served = new Set(
    routesOf(app.server)
      .filter((route) => !route.startsWith(' ') && !isExtra(route))
      .map(unnamed),
  )
  expect([...served].filter((route) => !declared.has(route))).toEqual([])
  expect([...declared].filter((route) => !served.has(route))).toEqual([])
})

test('addresses are unique', () => {
  expect(declared.size).toBe(addresses.length)
})

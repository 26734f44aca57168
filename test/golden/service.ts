import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { CoreOptions } from '../../packages/server/src/app/core.ts'
import { createApp } from '../../packages/server/src/app.ts'
import { probesIn } from '../../packages/server/src/testing/probes.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { serverOf } from '../../packages/server/src/sql/dialects/mysql/capabilities.ts'
import { connectMysql } from '../../packages/server/src/sql/dialects/mysql/connect.ts'
import { createDialect } from '../../packages/server/src/sql/dialects/mysql/index.ts'
import { createDatabase, type TestDialect } from '../lib/databases.ts'
import { loadFixture } from '../service/fixture.ts'

const TOKEN = 'golden-admin-token'

export interface Answer {
  readonly status: number
  readonly text: string
  /** The SQL texts that the request sent to the database. */
  readonly statements: readonly string[]
}

export interface Service {
  send(method: string, path: string, body?: string): Promise<Answer>
  close(): Promise<void>
}

type Connect = NonNullable<CoreOptions['connect']>

/**
 * Generates statements for this server version and sends them to a different server, which accepts only some of them.
 */
export const speakingTo =
  (version: string): Connect =>
  async (options) => ({ ...connectMysql(options), dialect: createDialect(serverOf(version)) })

/** The service in this process, on its own database with the tables and relations of the acceptance suite. */
export async function startService(dialect: TestDialect, connect?: Connect): Promise<Service> {
  const database = await createDatabase(dialect)
  await loadFixture(database)
  const folder = await mkdtemp(join(tmpdir(), 'tain-golden-'))
  const log = join(folder, 'statements')
  const config = readConfig({
    DATABASE_URL: database.url,
    ADMIN_TOKEN: TOKEN,
    SCHEMA_POLL_INTERVAL: '600000',
    DB_POOL_MAX: '2',
  })
  const app = await createApp(config, pino({ level: 'silent' }), {
    probes: probesIn({ TAIN_STATEMENT_LOG: log }),
    ...(connect === undefined ? {} : { connect }),
  })
  await app.start()

  const statements = async () =>
    (await readFile(log, 'utf8'))
      .split('\n')
      .filter(Boolean)
      // Where a schema is a database, its name differs in each run.
      .map((line) => (JSON.parse(line) as { text: string }).text.replaceAll(database.name, 'app'))
  const service: Service = {
    async send(method, path, body) {
      const before = (await statements()).length
      const reply = await app.server.inject({
        method: method as 'GET',
        url: path,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { payload: body }),
      })
      return { status: reply.statusCode, text: reply.body, statements: (await statements()).slice(before) }
    },
    async close() {
      await app.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await declareRelations(service)
  return service
}

/** The relations that the acceptance suite declares once after connecting the database. */
async function declareRelations(service: Service): Promise<void> {
  const call = async (method: string, path: string, body: object) => {
    const { status, text } = await service.send(method, path, JSON.stringify(body))
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
  }
  const alias = (collection: string, field: string, special: string) =>
    call('POST', `/fields/${collection}`, { field, type: 'alias', meta: { special: [special] }, schema: null })
  const relation = (collection: string, field: string, related: string, meta: object) =>
    call('PATCH', `/relations/${collection}/${field}`, { collection, field, related_collection: related, meta })

  await alias('authors', 'articles', 'o2m')
  await relation('articles', 'author', 'authors', { one_field: 'articles' })
  await alias('articles', 'comments', 'o2m')
  await relation('comments', 'article', 'articles', { one_field: 'comments' })
  await alias('categories', 'children', 'o2m')
  await relation('categories', 'parent', 'categories', { one_field: 'children' })
  await alias('articles', 'tags', 'm2m')
  await alias('tags', 'articles', 'm2m')
  const tags = { one_field: 'tags', junction_field: 'tags_id', sort_field: 'sort', one_deselect_action: 'delete' }
  await relation('articles_tags', 'articles_id', 'articles', tags)
  await relation('articles_tags', 'tags_id', 'tags', { one_field: 'articles', junction_field: 'articles_id' })
  await alias('pages', 'blocks', 'm2a')
  const blocks = { one_field: 'blocks', junction_field: 'item', sort_field: 'sort', one_deselect_action: 'delete' }
  await relation('pages_blocks', 'pages_id', 'pages', blocks)
  await call('POST', '/relations', {
    collection: 'pages_blocks',
    field: 'item',
    related_collection: null,
    meta: {
      one_collection_field: 'collection',
      one_allowed_collections: ['blocks_hero', 'blocks_text', 'blocks_gallery'],
      junction_field: 'pages_id',
    },
    schema: null,
  })
  await call('PATCH', '/collections/site', { meta: { singleton: true } })
  await call('PATCH', '/fields/articles/keywords', { meta: { special: ['cast-csv'] } })
}

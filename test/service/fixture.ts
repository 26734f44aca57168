import { readFile } from 'node:fs/promises'
import { connect, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { dataOf, type Service } from '../lib/service.ts'

/** The tables of the acceptance suite and their equivalents for other databases. */
const files: Readonly<Record<TestDialect, readonly string[]>> = {
  postgres: ['acceptance/fixture/postgres.sql', 'acceptance/fixture/awkward.sql'],
  sqlite: ['fixtures/sqlite/fixture.sql', 'fixtures/sqlite/awkward.sql'],
  mysql: ['fixtures/mysql/fixture.sql', 'fixtures/mysql/awkward.sql'],
}

/** Loads the tables of the acceptance suite. */
export async function loadFixture({ dialect, url }: Pick<TestDatabase, 'dialect' | 'url'>): Promise<void> {
  const { query, close } = await connect(url)
  try {
    for (const file of files[dialect]) await query(await readFile(new URL(`../${file}`, import.meta.url), 'utf8'))
  } finally {
    await close()
  }
}

type Meta = Readonly<Record<string, unknown>>

async function aliasField(service: Service, collection: string, field: string, special: string): Promise<void> {
  const body = { field, type: 'alias', meta: { special: [special] }, schema: null }
  dataOf(await service.send('POST', `/fields/${collection}`, body))
}

async function relation(service: Service, collection: string, field: string, related: string | null, meta: Meta) {
  const path = `/relations/${collection}/${field}`
  const body = { collection, field, related_collection: related, meta }
  const isKnown = (await service.get(path)).status === 200
  dataOf(await (isKnown ? service.send('PATCH', path, body) : service.send('POST', '/relations', body)))
}

/** The metadata that the acceptance suite registers after the start: to-many fields, the singleton, the list column. */
export async function registerRelations(service: Service): Promise<void> {
  await aliasField(service, 'authors', 'articles', 'o2m')
  await relation(service, 'articles', 'author', 'authors', { one_field: 'articles' })
  await aliasField(service, 'articles', 'comments', 'o2m')
  await relation(service, 'comments', 'article', 'articles', { one_field: 'comments' })
  await aliasField(service, 'categories', 'children', 'o2m')
  await relation(service, 'categories', 'parent', 'categories', { one_field: 'children' })

  await aliasField(service, 'articles', 'tags', 'm2m')
  await aliasField(service, 'tags', 'articles', 'm2m')
  const tags = { one_field: 'tags', junction_field: 'tags_id', sort_field: 'sort', one_deselect_action: 'delete' }
  await relation(service, 'articles_tags', 'articles_id', 'articles', tags)
  const articles = { one_field: 'articles', junction_field: 'articles_id' }
  await relation(service, 'articles_tags', 'tags_id', 'tags', articles)

  await aliasField(service, 'pages', 'blocks', 'm2a')
  const blocks = { one_field: 'blocks', junction_field: 'item', sort_field: 'sort', one_deselect_action: 'delete' }
  await relation(service, 'pages_blocks', 'pages_id', 'pages', blocks)
  await relation(service, 'pages_blocks', 'item', null, {
    one_collection_field: 'collection',
    one_allowed_collections: ['blocks_hero', 'blocks_text', 'blocks_gallery'],
    junction_field: 'pages_id',
  })

  dataOf(await service.send('PATCH', '/collections/site', { meta: { singleton: true } }))
  dataOf(await service.send('PATCH', '/fields/articles/keywords', { meta: { special: ['cast-csv'] } }))
}

export interface StatementLog {
  readonly file: string
  /** Every SQL text sent since the log began or since the last `take`. */
  take(): Promise<string[]>
}

/** Reads the statements that the service appends to TAIN_STATEMENT_LOG. */
export function statementLog(file: string): StatementLog {
  let taken = 0
  return {
    file,
    async take() {
      const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
      const fresh = lines.slice(taken).map((line) => (JSON.parse(line) as { text: string }).text)
      taken = lines.length
      return fresh
    },
  }
}

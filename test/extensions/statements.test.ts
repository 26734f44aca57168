import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { dataOf, startService, type Service } from '../lib/service.ts'
import { extensionFolder, extensionText, type ExtensionFolder } from './stage.ts'

const filtering = extensionText(`api.filter('filtered', ['create', 'update', 'delete'], () => undefined)`)
/** Every statement belongs to a request. */
const quiet = { SCHEMA_POLL_INTERVAL: '3600000' }

/** Filters of one collection change nothing for the others. */
describe.each(testDialects)('statements beside filters on %s', (dialect) => {
  let folder: ExtensionFolder
  let files: string

  beforeAll(async () => {
    folder = await extensionFolder({ 'filtering.ts': filtering })
    files = await mkdtemp(join(tmpdir(), 'tain-statements-'))
  })
  afterAll(async () => {
    await folder.remove()
    await rm(files, { recursive: true })
  })

  /** The texts of the statements that writes of a collection take, without those that the service asks now and then. */
  async function statementsOf(collection: string, settings: Readonly<Record<string, string>>, name: string) {
    const file = join(files, name)
    const database: TestDatabase = await createDatabase(dialect)
    let service: Service | null = null
    try {
      const key = { postgres: 'serial', mysql: 'integer auto_increment', sqlite: 'integer' }[dialect]
      await database.query(`
        create table filtered (id ${key} primary key, title varchar(40), parent integer references filtered (id));
        create table plain (id ${key} primary key, title varchar(40), parent integer references plain (id));`)
      service = await startService({ DATABASE_URL: database.url, TAIN_STATEMENT_LOG: file, ...quiet, ...settings })
      const before = (await readFile(file, 'utf8')).length
      const made = dataOf(await service.send('POST', `/items/${collection}`, { title: 'a', parent: { title: 'b' } }))
      const { id } = made as { id: number }
      await service.send('POST', `/items/${collection}`, [{ title: 'c' }, { title: 'd' }])
      await service.send('PATCH', `/items/${collection}/${id}`, { title: 'e' })
      await service.send('DELETE', `/items/${collection}/${id}`)
      return (await readFile(file, 'utf8'))
        .slice(before)
        .replaceAll(database.name, 'database')
        .split('\n')
        .filter((line) => !/service_(?:watch|webhooks)/u.test(line))
        .join('\n')
    } finally {
      await service?.stop()
      await database.drop()
    }
  }

  test('a collection without filters has the same statements as without extensions', async () => {
    const without = await statementsOf('plain', {}, 'without')
    const beside = await statementsOf('plain', { EXTENSIONS_PATH: folder.path }, 'beside')
    expect(beside).toBe(without)
    expect(without).toContain('insert into')
    const filtered = await statementsOf('filtered', { EXTENSIONS_PATH: folder.path }, 'filtered')
    expect(filtered.replaceAll('filtered', 'plain')).not.toBe(without)
  }, 240_000)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { dataOf, startService, until, type ServiceProcess } from '../lib/service.ts'
import { extensionFolder, extensionText, type ExtensionFolder } from './stage.ts'

/** Writes what it hears into a table; fails for as long as the table "broken" has rows. */
const listener = extensionText(`
  const told = (name: string) => async (event: any, { items }: any) => {
    const text = [event.action, event.before?.title ?? '-', event.after?.title ?? '-'].join(' ')
    await items.create('heard', { hook: name, item: event.key, text, position: event.position })
  }
  api.action('articles', ['create', 'update', 'delete'], told('all'))
  api.action('articles', ['create'], async (event, context) => {
    const rows = await context.items.list('broken')
    if (rows.length > 0) throw new Error('not yet')
    await told('creates')(event, context)
  })
`)

describe.each(testDialects)('action hooks on %s', (dialect) => {
  let database: TestDatabase
  let folder: ExtensionFolder
  let service: ServiceProcess

  const start = () => startService({ DATABASE_URL: database.url, EXTENSIONS_PATH: folder.path })

  beforeAll(async () => {
    folder = await extensionFolder({ 'listener.ts': listener })
    database = await createDatabase(dialect)
    const key = { postgres: 'serial', mysql: 'integer auto_increment', sqlite: 'integer' }[dialect]
    await database.query(`
      create table articles (id ${key} primary key, title varchar(40));
      create table broken (id ${key} primary key);
      create table heard (id ${key} primary key, hook varchar(20), item varchar(20), text varchar(99), position integer);`)
    service = await start()
    await isFollowing()
  })

  afterAll(async () => {
    await service?.stop()
    await database?.drop()
    await folder?.remove()
  })

  const heard = async (hook: string) =>
    database.query(`select item, text from heard where hook = '${hook}' order by position, id`)
  const create = async (title: string) =>
    (dataOf(await service.send('POST', '/items/articles', { title })) as { id: number }).id

  /** Both hooks have begun at the present end of the log. */
  const isFollowing = () => until(async () => (await cursors()).length === 2, 20, 'the hooks have begun')
  const cursors = async () => {
    const schema = dialect === 'postgres' ? 'tain.' : ''
    return database.query(`select name, position from ${schema}service_extension_cursors order by name`).catch(() => [])
  }

  test('committed changes are told in their order, with the rows before and after', async () => {
    const id = await create('one')
    await service.send('PATCH', `/items/articles/${id}`, { title: 'two' })
    await service.send('DELETE', `/items/articles/${id}`)
    await until(async () => (await heard('all')).length === 3, 20, 'all three are heard')
    expect(await heard('all')).toEqual([
      [String(id), 'create - one'],
      [String(id), 'update one two'],
      [String(id), 'delete two -'],
    ])
    await until(async () => (await heard('creates')).length === 1, 20, 'the create is heard')
  })

  test('what was not committed is not told', async () => {
    const before = (await heard('all')).length
    await service.send('POST', '/items/articles', { title: 'dry' }, { headers: { prefer: 'tx=rollback' } })
    await service.send('POST', '/items/articles', [{ title: 'fine' }, { title: 'x'.repeat(99) }])
    await create('kept')
    await until(async () => (await heard('all')).length > before, 20, 'the last one is heard')
    expect((await heard('all')).slice(before).map(([, text]) => text)).toEqual(['create - kept'])
    await until(async () => (await heard('creates')).length === 2, 20, 'the other hook has heard it too')
  })

  test('a hook that fails gets the change again, and holds up no other hook', async () => {
    await database.query('insert into broken (id) values (1)')
    const [all, creates] = [(await heard('all')).length, (await heard('creates')).length]
    await create('three')
    await create('four')
    await until(async () => (await heard('all')).length === all + 2, 20, 'the other hook goes on')
    expect(await heard('creates')).toHaveLength(creates)
    await database.query('delete from broken')
    await until(async () => (await heard('creates')).length === creates + 2, 20, 'the hook hears both')
    expect((await heard('creates')).slice(creates).map(([, text]) => text)).toEqual(['create - three', 'create - four'])
    expect(service.lines().some(({ msg }) => msg.startsWith('an extension failed, it gets'))).toBe(true)
  })

  test('changes of the time without the service are told after it, and a second replica tells nothing twice', async () => {
    await database.query('insert into broken (id) values (1)')
    const [all, creates] = [(await heard('all')).length, (await heard('creates')).length]
    await create('five')
    await until(async () => (await heard('all')).length === all + 1, 20, 'one hook has heard it')
    await service.stop('SIGKILL')
    await database.query('delete from broken')
    service = await start()
    const other = await start()
    try {
      await until(async () => (await heard('creates')).length > creates, 60, 'the other hook hears it later')
      await create('six')
      await until(async () => (await heard('creates')).length === creates + 2, 30, 'and the next one')
      await sleep(1000)
      expect((await heard('creates')).slice(creates).map(([, text]) => text)).toEqual(['create - five', 'create - six'])
      // At least once: what was heard just before the kill may be told again, in its order.
      const last = (await heard('all')).slice(all).map(([, text]) => text)
      expect([...new Set(last)]).toEqual(['create - five', 'create - six'])
    } finally {
      await other.stop()
    }
  })
})

// Foreign keys of a user's tables to the service's own: told, kept in snapshots, applied elsewhere, dropped by `tain eject`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callCommand } from '../lib/command.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, type Service } from '../lib/service.ts'

interface Snapshot {
  readonly hash: string
  readonly relations: readonly { readonly field: string; readonly schema: object | null }[]
}

const MISSING = '00000000-0000-4000-8000-000000000000'

describe.each(testDialects)('foreign keys to the service’s own tables on %s', (dialect) => {
  let databases: readonly TestDatabase[]
  let service: Service
  let other: Service

  beforeAll(async () => {
    databases = [await createDatabase(dialect), await createDatabase(dialect)]
    const [one, two] = databases
    await one?.query('create table tasks (id integer primary key, title varchar(40))')
    service = await openService({ DATABASE_URL: one?.url ?? '' })
    other = await openService({ DATABASE_URL: two?.url ?? '' })
  })

  afterAll(async () => {
    await service.stop()
    await other.stop()
    for (const database of databases) await database.drop()
  })

  const send = (method: string, path: string, body?: unknown) => service.send(method, path, body)
  const ask = async (method: string, path: string, body?: unknown) => dataOf(await send(method, path, body))
  const lead = (field: string, related: string, schema: unknown) =>
    send('POST', '/relations', { collection: 'tasks', field, related_collection: related, schema, meta: {} })
  const snapshotOf = async (from: Service) => dataOf(await from.get('/schema/snapshot')) as Snapshot
  const diffOf = (at: Service, snapshot: Snapshot) => at.send('POST', '/schema/diff?force=true', snapshot)

  test('a relation to users makes the key that is asked for, with an index', async () => {
    await ask('POST', '/fields/tasks', { field: 'owner', type: 'uuid', schema: {} })
    expect(dataOf(await lead('owner', 'service_users', { on_delete: 'SET NULL' }))).toMatchObject({
      related_collection: 'service_users',
      schema: { column: 'owner', foreign_key_table: 'service_users', on_delete: 'SET NULL' },
    })
    expect(await ask('GET', '/relations/tasks/owner')).toMatchObject({ schema: { on_delete: 'SET NULL' } })
    expect(await ask('GET', '/fields/tasks/owner')).toMatchObject({
      type: 'uuid',
      schema: { foreign_key_table: 'service_users', foreign_key_column: 'id', is_indexed: true, is_nullable: true },
    })
  })

  test('the key is kept in rows', async () => {
    const user = (await ask('POST', '/users', { email: 'ada@example.com' })) as { id: string }
    expect(await ask('POST', '/items/tasks?fields=owner.email', { id: 1, title: 'one', owner: user.id })).toEqual({
      owner: { email: 'ada@example.com' },
    })
    expect(codeOf(await send('POST', '/items/tasks', { id: 2, owner: MISSING }))).toBe('INVALID_FOREIGN_KEY')
    expect(await ask('GET', `/items/tasks?filter[owner][_eq]=${user.id}&fields=id`)).toEqual([{ id: 1 }])
    expect((await send('DELETE', `/users/${user.id}`)).status).toBe(204)
    expect(await ask('GET', '/items/tasks/1?fields=owner')).toEqual({ owner: null })
  })

  test('a value that belongs to no user stands in the way', async () => {
    await ask('POST', '/fields/tasks', { field: 'author', type: 'uuid', schema: {} })
    await ask('PATCH', '/items/tasks/1', { author: MISSING })
    expect(codeOf(await lead('author', 'service_users', {}))).toBe('INVALID_FOREIGN_KEY')
    expect(await ask('GET', '/items/tasks/1?fields=author')).toEqual({ author: MISSING })
    expect((await send('DELETE', '/fields/tasks/author')).status).toBe(204)
  })

  test('a field of another type is refused, and has no key where none is asked for', async () => {
    await ask('POST', '/fields/tasks', { field: 'place', type: 'integer', schema: {} })
    // SQLite has foreign keys between columns of any types.
    const refused = dialect === 'sqlite' ? 'INVALID_PAYLOAD' : codeOf(await lead('place', 'service_users', {}))
    expect(refused).toBe('INVALID_PAYLOAD')
    expect(dataOf(await lead('place', 'service_users', undefined))).toMatchObject({ schema: null })
    expect((await send('DELETE', '/fields/tasks/place')).status).toBe(204)
  })

  test('a field keeps its type and its values when its key goes', async () => {
    const typeOf = async () => {
      const { type, schema } = (await ask('GET', '/fields/tasks/past')) as { type: string; schema: object }
      return { type, ...schema }
    }
    await ask('POST', '/fields/tasks', { field: 'past', type: 'uuid', schema: {}, meta: {} })
    const [user] = (await ask('GET', '/users?limit=1&fields=id')) as { id: string }[]
    await ask('PATCH', '/items/tasks/1', { past: user?.id })
    const before = await typeOf()
    await lead('past', 'service_users', {})
    expect(await typeOf()).toMatchObject({ type: 'uuid', data_type: 'uuid', foreign_key_table: 'service_users' })
    expect((await send('DELETE', '/relations/tasks/past')).status).toBe(204)
    expect(await typeOf()).toEqual({ ...before, is_indexed: true })
    expect(await ask('GET', '/items/tasks/1?fields=past')).toEqual({ past: user?.id })
    expect((await send('DELETE', '/fields/tasks/past')).status).toBe(204)
  })

  test('without schema there is no key', async () => {
    await ask('POST', '/fields/tasks', { field: 'watcher', type: 'uuid', schema: {} })
    expect(dataOf(await lead('watcher', 'service_users', null))).toMatchObject({ schema: null })
    expect(await ask('PATCH', '/items/tasks/1?fields=watcher', { watcher: MISSING })).toEqual({ watcher: MISSING })
  })

  test('a snapshot contains the keys, and another database gets them', async () => {
    await ask('POST', '/fields/tasks', { field: 'cover', type: 'uuid', schema: {}, meta: { special: ['file'] } })
    await lead('cover', 'service_files', { on_delete: 'SET NULL' })
    await ask('PATCH', '/relations/tasks/owner', { schema: { on_delete: 'RESTRICT' } })
    const snapshot = await snapshotOf(service)
    expect(snapshot.relations.map(({ field, schema }) => [field, schema])).toEqual([
      ['cover', expect.objectContaining({ columns: ['cover'], on_delete: 'SET NULL' })],
      ['owner', expect.objectContaining({ columns: ['owner'], on_delete: 'RESTRICT' })],
      ['watcher', null],
    ])
    expect((await diffOf(service, snapshot)).status).toBe(204)
    expect((await other.send('POST', '/schema/apply', dataOf(await diffOf(other, snapshot)))).status).toBe(204)
    expect((await diffOf(other, snapshot)).status).toBe(204)
    expect(dataOf(await other.get('/relations/tasks/owner'))).toMatchObject({ schema: { on_delete: 'RESTRICT' } })
    expect(codeOf(await other.send('POST', '/items/tasks', { id: 1, cover: MISSING }))).toBe('INVALID_FOREIGN_KEY')
  })

  test('a key that is missing is a difference, and a change of it is applied', async () => {
    const snapshot = await snapshotOf(service)
    dataOf(await other.send('PATCH', '/relations/tasks/owner', { schema: { on_delete: 'CASCADE' } }))
    expect((await other.send('DELETE', '/relations/tasks/cover')).status).toBe(204)
    expect((await other.send('POST', '/schema/apply', dataOf(await diffOf(other, snapshot)))).status).toBe(204)
    expect((await snapshotOf(other)).relations).toEqual(snapshot.relations)
  })

  test('eject drops the keys first and leaves the columns with their values', async () => {
    await service.stop()
    const [one] = databases
    const environment = { DATABASE_URL: one?.url ?? '' }
    const printed = await callCommand(['eject'], { environment })
    expect(printed.out).toMatch(/-- The foreign keys? of \S*tasks/u)
    expect(await callCommand(['eject', '--run', '--yes'], { environment })).toMatchObject({ code: 0 })
    expect(await one?.query('select title, owner, watcher from tasks')).toEqual([['one', null, MISSING]])
    await one?.query(`insert into tasks (id, owner) values (7, '${MISSING}')`)
  })
})

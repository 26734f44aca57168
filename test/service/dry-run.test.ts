import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** MariaDB has no deferred constraints. */
describe.each(testDialects.filter((dialect) => dialect !== 'mysql'))('deferred constraints on %s', (dialect) => {
  const schema = `
    create table teams (id integer primary key, name text);
    create table members (
      id integer primary key, name text, team integer references teams (id) deferrable initially deferred);
    insert into teams values (1, 'one'), (2, 'two');
    insert into members values (1, 'Ada', 1)`

  const { database, service } = useWorld({ dialect, tables: schema })

  const both = async (method: string, path: string, body: unknown) => {
    const dry = await service.send(method, path, body, { headers: { prefer: 'tx=rollback' } })
    const real = await service.send(method, path, body)
    return { dry, real }
  }

  test.each([
    ['a create', 'POST', '/items/members', { id: 7, name: 'Ben', team: 77 }],
    ['an update', 'PATCH', '/items/members/1', { team: 77 }],
    ['a delete of what others refer to', 'DELETE', '/items/teams/1', undefined],
    ['the last of several', 'POST', '/items/members', [{ id: 8 }, { id: 9, team: 77 }]],
  ])('a dry run of %s refuses what the commit would refuse', async (_, method, path, body) => {
    const { dry, real } = await both(method, path, body)
    expect([real.status, codeOf(real)]).toEqual([400, 'INVALID_FOREIGN_KEY'])
    expect([dry.status, codeOf(dry)]).toEqual([400, 'INVALID_FOREIGN_KEY'])
  })

  test('a dry run of what the commit accepts is answered, and keeps nothing', async () => {
    const dry = await service.send(
      'POST',
      '/items/members',
      { id: 20, team: 2 },
      { headers: { prefer: 'tx=rollback' } },
    )
    expect([dry.status, dry.headers.get('preference-applied')]).toEqual([200, 'tx=rollback'])
    expect(await database.query('select count(*) from members where id = 20')).toEqual([['0']])
  })

  test('a violation that a later write of the same batch mends is none', async () => {
    const operations = [
      { method: 'POST', path: '/items/members', body: { id: 30, team: 30 } },
      { method: 'POST', path: '/items/teams', body: { id: 30, name: 'thirty' } },
    ]
    const { dry, real } = await both('POST', '/batch', operations)
    expect([dry.status, real.status]).toEqual([200, 200])
  })
})

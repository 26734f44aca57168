import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** On MariaDB, `boolean` is a number of one byte. */
const tables = (flag: string) => `
  create table flags (is_on ${flag} primary key, label varchar(20));
  insert into flags values (true, 'on'), (false, 'off');
  create table switches (room int, is_on ${flag}, label varchar(20), primary key (room, is_on));
  insert into switches values (1, true, 'one on'), (1, false, 'one off');
  create table lamps (id int primary key, state ${flag}, foreign key (state) references flags (is_on));
  insert into lamps values (1, true), (2, false), (3, null)`

describe.each(testDialects)('boolean keys on %s', (dialect) => {
  const { service } = useWorld({ dialect, tables: tables(dialect === 'mysql' ? 'bit(1)' : 'boolean') })

  test.each([
    ['true', 'on'],
    ['false', 'off'],
    ['1', 'on'],
    ['0', 'off'],
  ])('%s finds its row', async (key, label) => {
    expect(dataOf(await service.get(`/items/flags/${key}?fields=label`))).toEqual({ label })
    expect(dataOf(await service.get(`/items/switches/1,${key}?fields=label`))).toEqual({ label: `one ${label}` })
  })

  test('other words find none', async () => {
    expect((await service.get('/items/flags/maybe')).status).toBe(403)
  })

  test('bodies, upserts and links take the key', async () => {
    expect(
      dataOf(await service.send('PATCH', '/items/flags?fields=label', { keys: [true], data: { label: 'bright' } })),
    ).toEqual([{ label: 'bright' }])
    expect(dataOf(await service.send('PUT', '/items/flags/false', { label: 'dark' }))).toEqual({
      is_on: false,
      label: 'dark',
    })
    expect(
      dataOf(await service.send('PATCH', '/items/lamps/3?fields=state.label', { state: { is_on: true, label: 'on' } })),
    ).toEqual({ state: { label: 'on' } })
    expect(dataOf(await service.send('PATCH', '/items/flags/false', { is_on: false, label: 'off' }))).toEqual({
      is_on: false,
      label: 'off',
    })
  })

  test('revisions name the row by the key that responses show', async () => {
    await service.send('PATCH', '/items/switches/1,true', { label: 'one on' })
    for (const collection of ['flags', 'switches']) {
      const items = dataOf(await service.get(`/revisions?filter[collection][_eq]=${collection}&fields=item`)) as {
        item: string
      }[]
      expect(new Set(items.map(({ item }) => item.replace('1,', ''))).isSubsetOf(new Set(['true', 'false']))).toBe(true)
      expect(items.length).toBeGreaterThan(0)
    }
  })

  test('GraphQL shows the same key at every level, and takes it', async () => {
    const query =
      '{ flags(sort: ["label"]) { is_on } lamps(sort: ["id"], limit: 2) { state { is_on } } flags_by_id(id: "false") { label } }'
    expect(dataOf(await service.send('POST', '/graphql', { query }))).toEqual({
      flags: [{ is_on: 'false' }, { is_on: 'true' }],
      lamps: [{ state: { is_on: 'true' } }, { state: { is_on: 'false' } }],
      flags_by_id: { label: 'off' },
    })
  })
})

import type { CollectionDescription, SchemaDescription } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { createUser, useWorld } from '../lib/world.ts'

describe.each(testDialects)('the description of the schema on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      const quote = dialect === 'mysql' ? '`' : '"'
      const named = (name: string) => `${quote}${name}${quote}`
      for (const statement of [
        'create table shops (a integer not null, b integer not null, primary key (a, b))',
        'create table goods (id integer primary key, name varchar(20) not null, price decimal(10, 2), shop_a integer not null, shop_b integer not null, foreign key (shop_a, shop_b) references shops (a, b))',
        'create table tags (id integer primary key, good integer not null, word varchar(20), foreign key (good) references goods (id))',
        'create table tags_create (id integer primary key)',
        `create table ${named('2 sizes/ä')} (id integer primary key)`,
        `create table ${named('schema')} (id integer primary key)`,
        'create table site (id integer primary key, title varchar(20) not null)',
        'create table secrets (id integer primary key, word varchar(20))',
        'create view cheap as select id, name from goods',
      ])
        await database.query(statement)
    },
    prepare: async () => {
      dataOf(await service.send('PATCH', '/collections/site', { meta: { singleton: true, note: 'About us.' } }))
      dataOf(
        await service.send('POST', '/fields/goods', { field: 'labels', type: 'alias', meta: { special: ['o2m'] } }),
      )
      dataOf(await service.send('PATCH', '/relations/tags/good', { meta: { one_field: 'labels' } }))
      dataOf(await service.send('PATCH', '/fields/secrets/word', { meta: { special: 'conceal' } }))
    },
  })

  const read = async (options = {}) => {
    const answer = await service.get('/server/specs/schema', options)
    expect(answer.status).toBe(200)
    return JSON.parse(answer.text) as SchemaDescription
  }
  const named = ({ collections }: SchemaDescription, name: string) =>
    collections.find((collection) => collection.name === name)
  const fieldOf = (collection: CollectionDescription | undefined, name: string) =>
    collection?.fields.find((field) => field.name === name)

  test('has every collection with its key and verbs, and type names that no two of them share', async () => {
    const all = await read()
    const own = all.collections.filter(({ path }) => path.startsWith('/items/'))
    expect(own.map(({ name, type, path, key, may }) => [name, type, path, key.join(), may.join()])).toEqual([
      ['2 sizes/ä', '_2SizesA', '/items/2%20sizes%2F%C3%A4', 'id', 'read,create,update,delete'],
      ['cheap', 'Cheap', '/items/cheap', '', expect.stringMatching(/^read/u)],
      ['goods', 'Goods', '/items/goods', 'id', 'read,create,update,delete'],
      ['schema', '_Schema', '/items/schema', 'id', 'read,create,update,delete'],
      ['secrets', 'Secrets', '/items/secrets', 'id', 'read,create,update,delete'],
      ['shops', 'Shops', '/items/shops', 'a,b', 'read,create,update,delete'],
      ['site', 'Site', '/items/site', 'id', 'read,update'],
      ['tags', 'Tags', '/items/tags', 'id', 'read,create,update,delete'],
      ['tags_create', 'TagsCreate2', '/items/tags_create', 'id', 'read,create,update,delete'],
    ])
    expect(named(all, 'service_users')).toMatchObject({ type: 'ServiceUsers', path: '/users' })
    expect(named(all, 'service_sessions')).toBeUndefined()
    const names = all.collections.map(({ type }) => type)
    expect(new Set(names).size).toBe(names.length)
  })

  test('says how fields are read and written', async () => {
    const all = await read()
    const goods = named(all, 'goods')
    expect(fieldOf(goods, 'name')).toEqual({
      name: 'name',
      type: 'string',
      read: 'value',
      create: 'required',
      update: true,
    })
    expect(fieldOf(goods, 'price')).toEqual({
      name: 'price',
      type: 'decimal',
      read: 'nullable',
      create: 'optional',
      update: true,
      clearable: true,
    })
    // The row of the shop may be sent instead of its key.
    expect(fieldOf(goods, 'shop_a')).toMatchObject({ read: 'value', create: 'optional' })
    expect(fieldOf(goods, 'shops')).toMatchObject({
      type: 'alias',
      inferred: true,
      read: 'value',
      relation: { kind: 'one', to: ['shops'] },
    })
    expect(fieldOf(goods, 'labels')).toEqual({
      name: 'labels',
      type: 'alias',
      read: 'value',
      relation: { kind: 'many', to: ['tags'] },
      create: 'optional',
      update: true,
      clearable: true,
    })
    expect(fieldOf(named(all, 'shops'), 'goods')).toMatchObject({
      type: 'alias',
      inferred: true,
      read: 'value',
      relation: { kind: 'many', to: ['goods'] },
      create: 'optional',
    })
    expect(fieldOf(named(all, 'tags'), 'good')).toMatchObject({
      type: 'integer',
      read: 'value',
      create: 'required',
      relation: { kind: 'one', to: ['goods'] },
    })
    expect(fieldOf(named(all, 'shops'), 'a')).not.toHaveProperty('update')
    expect(named(all, 'site')).toMatchObject({ singleton: true, note: 'About us.' })
    expect(fieldOf(named(all, 'site'), 'title')).toMatchObject({ read: 'nullable' })
    expect(fieldOf(named(all, 'secrets'), 'word')).toMatchObject({ type: 'hash' })
  })

  test('has nothing but what its caller may use', async () => {
    const permissions = [
      { collection: 'goods', action: 'read', fields: ['name', 'price', 'shops'] },
      { collection: 'goods', action: 'read', permissions: { id: { _gt: 5 } }, fields: ['price', 'labels'] },
      { collection: 'tags', action: 'create', fields: ['good', 'word'], presets: { good: 1 } },
      { collection: 'tags', action: 'read', permissions: { id: { _gt: 1 } }, fields: ['word', 'good'] },
    ]
    const token = 'token-of-a-reader'
    await createUser(service, permissions, token)
    const own = await read({ token })
    expect(own.collections.map(({ name, key, may }) => [name, key, may])).toEqual([
      ['goods', [], ['read']],
      ['tags', [], ['read', 'create']],
    ])
    const goods = named(own, 'goods')
    expect(goods?.fields).toEqual([
      { name: 'name', type: 'string', read: 'nullable' },
      { name: 'price', type: 'decimal', read: 'nullable' },
      // Their keys are hidden, so `*` omits the list.
      { name: 'labels', type: 'alias', inferred: true, read: 'nullable', relation: { kind: 'many', to: ['tags'] } },
    ])
    expect(fieldOf(named(own, 'tags'), 'good')).toEqual({
      name: 'good',
      type: 'integer',
      read: 'nullable',
      create: 'optional',
      relation: { kind: 'one', to: ['goods'] },
    })
    expect(JSON.stringify(own)).not.toMatch(/shop|secret|cheap|service/u)
  })

  test('of the public has no collection, and an ETag', async () => {
    expect(await read({ token: null })).toEqual({ version: 1, collections: [] })
    const first = await service.get('/server/specs/schema')
    const tag = first.headers.get('etag') ?? ''
    expect((await service.get('/server/specs/schema', { headers: { 'if-none-match': tag } })).status).toBe(304)
    expect((await service.get('/server/specs/schema?x=1')).body).toMatchObject({
      errors: [{ extensions: { code: 'INVALID_QUERY' } }],
    })
  })
})

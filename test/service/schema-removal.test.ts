import { describe, expect, test } from 'vitest'
import { stage } from './schema-stage.ts'

const { ask, send, value, query, refusal } = stage(`
  create table makers (id integer primary key, name text not null, code text unique, secret text);
  create table goods (id integer primary key, name text, maker integer references makers on delete set null,
    maker_code text references makers (code), place integer, color text);
  create table boxes (id integer primary key, good integer references goods, kind text, thing text);
  insert into makers values (1, 'Ada', 'A', 'x'), (2, 'Bo', 'B', null);
  insert into goods select n, 'good ' || n, 1 + n % 2, 'A', n, 'red' from generate_series(1, 20) n;
  insert into boxes values (1, 1, 'goods', '1')`)

const alias = (field: string) => ({ field, type: 'alias', meta: { special: ['o2m'] } })

const permit = async (more: object): Promise<number> => {
  const { id: policy } = (await ask('POST', '/policies', { name: 'some' })) as { id: string }
  const { id } = (await ask('POST', '/permissions', { policy, action: 'read', ...more })) as { id: number }
  return id
}
const permission = (id: number) => ask('GET', `/permissions/${id}`) as Promise<Record<string, unknown>>

/** Creates a caller with one permission. Returns a function that sends GET requests for this caller. */
async function reader(more: object) {
  const { id: policy } = (await ask('POST', '/policies', { name: 'reader' })) as { id: string }
  await ask('POST', '/permissions', { policy, action: 'read', fields: ['*'], ...more })
  const token = `token-${policy}`
  const { id: user } = (await ask('POST', '/users', { email: `${policy}@example.com`, token })) as { id: string }
  await ask('POST', '/access', { user, policy })
  return (path: string) => send('GET', path, undefined, { token })
}

describe('deleting a field', () => {
  test('takes the relation, the list on the other side, and what names them along', async () => {
    await ask('POST', '/fields/makers', alias('goods'))
    await ask('PATCH', '/relations/goods/maker', { meta: { one_field: 'goods', sort_field: 'place' } })
    const listed = await permit({ collection: 'makers', fields: ['name', 'goods'] })
    const preset = await permit({
      collection: 'goods',
      action: 'create',
      fields: ['*'],
      presets: { maker: 1, name: 'n' },
    })
    expect((await send('DELETE', '/fields/goods/maker')).status).toBe(204)
    expect(await refusal('GET', '/relations/goods/maker')).toEqual([403, 'FORBIDDEN'])
    expect(await refusal('GET', '/fields/makers/goods')).toEqual([403, 'FORBIDDEN'])
    expect(await value(`select count(*) from tain.service_relations where many_field = 'maker'`)).toBe('0')
    expect(await permission(listed)).toMatchObject({ fields: ['name'] })
    expect(await permission(preset)).toMatchObject({ fields: ['*'], presets: { name: 'n' } })
  })

  test('clears sort and archive fields, templates, bookmarks, groups and the sort of relations', async () => {
    await ask('PATCH', '/collections/goods', {
      meta: {
        sort_field: 'place',
        archive_field: 'place',
        display_template: '{{name}} {{ place }}',
        item_duplication_fields: ['name', 'place'],
      },
    })
    await ask('PATCH', '/relations/goods/maker_code', { meta: { sort_field: 'place' } })
    await ask('PATCH', '/fields/goods/color', { meta: { group: 'place' } })
    const bookmark = (await ask('POST', '/presets', {
      collection: 'goods',
      layout_query: { tabular: { fields: ['name', 'place'], sort: ['-place'], page: 1 } },
    })) as { id: number }
    expect((await send('DELETE', '/fields/goods/place')).status).toBe(204)
    expect(await ask('GET', '/collections/goods')).toMatchObject({
      meta: { sort_field: null, archive_field: null, display_template: '{{name}}', item_duplication_fields: ['name'] },
    })
    expect(await ask('GET', '/relations/goods/maker_code')).toMatchObject({ meta: { sort_field: null } })
    expect(await ask('GET', '/fields/goods/color')).toMatchObject({ meta: { group: null } })
    expect(await ask('GET', `/presets/${bookmark.id}`)).toMatchObject({
      layout_query: { tabular: { fields: ['name'], sort: [], page: 1 } },
    })
  })

  test('a rule that named it lets nobody through, also when a field of that name comes again', async () => {
    const direct = await reader({ collection: 'makers', permissions: { secret: { _null: true } } })
    const through = await reader({
      collection: 'goods',
      permissions: { _or: [{ maker_code: { secret: { _null: true } } }, { id: { _eq: 1 } }] },
    })
    const other = await reader({ collection: 'makers', permissions: { name: { _eq: 'Ada' } } })
    expect((await direct('/items/makers')).body).toMatchObject({ data: [{ id: 2 }] })
    expect((await through('/items/goods?fields=id')).body).toEqual({ data: [{ id: 1 }] })
    expect((await send('DELETE', '/fields/makers/secret')).status).toBe(204)
    for (const isBack of [false, true]) {
      if (isBack) await ask('POST', '/fields/makers', { field: 'secret', type: 'string' })
      expect((await direct('/items/makers')).body).toEqual({ data: [] })
      expect((await through('/items/goods?fields=id')).body).toEqual({ data: [] })
      expect((await other('/items/makers?fields=id')).body).toEqual({ data: [{ id: 1 }] })
    }
  })

  test('that others refer to drops their foreign keys and keeps their columns', async () => {
    expect((await send('DELETE', '/fields/makers/code')).status).toBe(204)
    expect(await refusal('GET', '/relations/goods/maker_code')).toEqual([403, 'FORBIDDEN'])
    expect(await value(`select count(*) from goods where maker_code = 'A'`)).toBe('20')
  })
})

describe('a relation', () => {
  test('refuses what would not hold, and says how many rows stand in the way', async () => {
    await query(`alter table goods add column owner integer; update goods set owner = id`)
    const body = { collection: 'goods', field: 'owner', related_collection: 'makers' }
    const answer = await send('POST', '/relations', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ errors: [{ extensions: { code: 'INVALID_FOREIGN_KEY', count: 18 } }] })
    await query('alter table goods alter owner type text')
    expect(await refusal('POST', '/relations', body)).toEqual([400, 'INVALID_PAYLOAD'])
    await query('alter table goods drop owner')
  })

  test('without a foreign key is made by schema null, and gets one later', async () => {
    await query('alter table goods add column owner integer')
    const body = { collection: 'goods', field: 'owner', related_collection: 'makers', schema: null }
    expect(await ask('POST', '/relations', body)).toMatchObject({ schema: null, meta: { one_collection: 'makers' } })
    const changed = await ask('PATCH', '/relations/goods/owner', { schema: { on_delete: 'cascade' } })
    expect(changed).toMatchObject({ schema: { on_delete: 'CASCADE', constraint_name: 'goods_owner_foreign' } })
    expect(await refusal('PATCH', '/relations/goods/owner', { schema: { on_delete: 'drop table' } })).toEqual([
      400,
      'INVALID_PAYLOAD',
    ])
    expect((await send('DELETE', '/relations/goods/owner')).status).toBe(204)
  })

  test('to many, through a junction and to any of several, is made from nothing and works at once', async () => {
    const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
    const field = (name: string, type = 'integer') => ({ field: name, type })
    await ask('POST', '/collections', [
      { collection: 'posts', schema: {}, fields: [key, field('title', 'string')] },
      { collection: 'labels', schema: {}, fields: [key, field('name', 'string')] },
      { collection: 'posts_labels', schema: {}, fields: [key, field('post'), field('label')] },
      {
        collection: 'posts_parts',
        schema: {},
        fields: [key, field('post'), field('kind', 'string'), field('item', 'string')],
      },
    ])
    await ask('POST', '/fields/posts', alias('labels'))
    await ask('POST', '/fields/posts', alias('parts'))
    const relate = (collection: string, name: string, related: string | null, meta: object) =>
      ask('POST', '/relations', { collection, field: name, related_collection: related, meta })
    await relate('posts_labels', 'post', 'posts', { one_field: 'labels', junction_field: 'label' })
    await relate('posts_labels', 'label', 'labels', { junction_field: 'post' })
    await relate('posts_parts', 'post', 'posts', { one_field: 'parts', junction_field: 'item' })
    await relate('posts_parts', 'item', null, {
      one_collection_field: 'kind',
      one_allowed_collections: ['labels', 'makers'],
      junction_field: 'post',
    })
    const post = {
      title: 'first',
      labels: [{ label: { name: 'red' } }],
      parts: [{ kind: 'labels', item: { name: 'part' } }],
    }
    const made = await ask(
      'POST',
      '/items/posts?fields=title,labels.label.name,parts.kind,parts.item:labels.name',
      post,
    )
    expect(made).toEqual({
      title: 'first',
      labels: [{ label: { name: 'red' } }],
      parts: [{ kind: 'labels', item: { name: 'part' } }],
    })
  })
})

describe('deleting a collection', () => {
  test('takes its records along and leaves the columns of others', async () => {
    await ask('POST', '/comments', { collection: 'labels', item: '1', comment: 'nice' })
    await ask('POST', '/presets', { collection: 'labels', bookmark: 'mine' })
    const own = await permit({ collection: 'labels', fields: ['*'] })
    const through = await permit({
      collection: 'posts_labels',
      fields: ['*'],
      permissions: { label: { name: { _eq: 'red' } } },
    })
    expect((await send('DELETE', '/collections/labels')).status).toBe(204)
    for (const table of ['permissions', 'presets', 'comments', 'revisions', 'activity', 'fields', 'collections'])
      expect([table, await value(`select count(*) from tain.service_${table} where collection = 'labels'`)]).toEqual([
        table,
        '0',
      ])
    expect(await refusal('GET', `/permissions/${own}`)).toEqual([403, 'FORBIDDEN'])
    expect(await permission(through)).toMatchObject({
      permissions: { _and: [{ id: { _in: [] } }, { label: { name: { _eq: 'red' } } }] },
    })
    expect(await value('select label from posts_labels')).toBe('1')
    expect(await refusal('GET', '/relations/posts_labels/label')).toEqual([403, 'FORBIDDEN'])
    expect(await ask('GET', '/relations/posts_parts/item')).toMatchObject({
      meta: { one_allowed_collections: ['makers'] },
    })
  })

  test('a folder holds others, and lets them go when it goes', async () => {
    await ask('POST', '/collections', { collection: 'folder', schema: null, meta: { note: 'holds' } })
    await ask('PATCH', '/collections/goods', { meta: { group: 'folder' } })
    expect(await ask('PATCH', '/collections/folder', { meta: { note: 'kept' } })).toMatchObject({
      schema: null,
      meta: { note: 'kept' },
    })
    expect(await refusal('GET', '/items/folder')).toEqual([403, 'FORBIDDEN'])
    expect(await refusal('POST', '/collections', { collection: 'folder', schema: {} })).toEqual([
      400,
      'INVALID_PAYLOAD',
    ])
    expect((await send('DELETE', '/collections/folder')).status).toBe(204)
    expect(await ask('GET', '/collections/goods')).toMatchObject({ meta: { group: null } })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { createWorld, grant, wordsOf, type Caller, type Row, type World } from './world.ts'

let world: World
/** May create articles, and read, update and delete published ones, with access to a few fields. */
let editor: Caller

beforeAll(async () => {
  world = await createWorld()
  const rows = { permissions: { status: { _eq: 'published' } } }
  editor = await world.person([
    grant('articles', 'read', { ...rows, fields: ['id', 'title', 'author'] }),
    grant('articles', 'create', { fields: ['id', 'title', 'code', 'author'] }),
    grant('articles', 'update', { ...rows, fields: ['id', 'title', 'code', 'author'] }),
    grant('articles', 'delete', rows),
  ])
})

afterAll(() => world.end())

/**
 * Sends the same request for an inaccessible name and for a missing name. The responses must be identical to the byte.
 */
async function differences(
  ask: (name: string) => Promise<Answer>,
  closed: string,
  absent: string,
): Promise<readonly string[]> {
  const [first, second] = [await ask(closed), await ask(absent)]
  const shown = (answer: Answer, name: string) => [
    wordsOf(answer, name),
    [...answer.headers.keys()].filter((header) => header !== 'content-length').join(),
  ]
  const [left, right] = [shown(first, closed), shown(second, absent)]
  if (first.status < 400) return [`not refused: ${first.text}`]
  return left.flatMap((text, index) => (text === right[index] ? [] : [`${text} ≠ ${right[index] ?? ''}`]))
}

describe('what is closed and what is not there answer alike', () => {
  // GHSA-cph6-524f-3hgr CVE-2025-64749
  const collections: Readonly<Record<string, (name: string) => Promise<Answer>>> = {
    list: (name) => editor.get(`/items/${name}`),
    item: (name) => editor.get(`/items/${name}/1`),
    search: (name) => editor.search(name, {}),
    create: (name) => editor.send('POST', `/items/${name}`, { id: 1 }),
    'create with a field that is none': (name) => editor.send('POST', `/items/${name}`, { nonsense: 1 }),
    'create with a body that is none': (name) => editor.send('POST', `/items/${name}`, [1]),
    update: (name) => editor.send('PATCH', `/items/${name}/1`, { id: 1 }),
    'update by query': (name) => editor.send('PATCH', `/items/${name}`, { all: true, data: { id: 1 } }),
    upsert: (name) => editor.send('PUT', `/items/${name}/1`, { id: 1 }),
    delete: (name) => editor.send('DELETE', `/items/${name}/1`),
    batch: (name) => editor.send('POST', '/batch', [{ method: 'DELETE', path: `/items/${name}/1` }]),
    collection: (name) => editor.get(`/collections/${name}`),
    fields: (name) => editor.get(`/fields/${name}`),
    field: (name) => editor.get(`/fields/${name}/id`),
    relations: (name) => editor.get(`/relations/${name}`),
    relation: (name) => editor.get(`/relations/${name}/id`),
    'own rights': (name) => editor.get(`/permissions/me/${name}/1`),
    sort: (name) => editor.send('POST', `/utils/sort/${name}`, { item: 1, to: 2 }),
    import: (name) => editor.upload(name, '[]', 'application/json'),
    comment: (name) => editor.send('POST', '/comments', { collection: name, item: '1', comment: 'x' }),
    $FOLLOW: (name) => editor.get('/items/articles', { filter: { [`$FOLLOW(${name},article)`]: { id: { _eq: 1 } } } }),
    'by nobody': (name) => world.nobody.get(`/items/${name}`),
    'by an administrator as a field': (name) => editor.send('PATCH', `/fields/${name}/id`, { meta: { hidden: true } }),
    'dropping a collection': (name) => editor.send('DELETE', `/collections/${name}`),
  }
  test.each(Object.entries(collections))('a collection: %s', async (_, ask) => {
    expect(await differences(ask, 'vault', 'fault')).toEqual([])
  })

  const fields: Readonly<Record<string, (name: string) => Promise<Answer>>> = {
    read: (name) => editor.get('/items/articles/1', { fields: name }),
    describe: (name) => editor.get(`/fields/articles/${name}`),
    create: (name) => editor.send('POST', '/items/articles', { [name]: 'x' }),
    update: (name) => editor.send('PATCH', '/items/articles/1', { [name]: 'x' }),
    'update with a value that cannot be': (name) => editor.send('PATCH', '/items/articles/1', { [name]: { a: 1 } }),
    upsert: (name) => editor.send('PUT', '/items/articles/1', { [name]: 'x' }),
    'upsert by it': (name) => editor.send('PUT', `/items/articles?on_conflict=${name}`, { title: 'x' }),
    'import of it': (name) => editor.upload('articles', `${name}\nx\n`, 'text/csv'),
  }
  test.each(Object.entries(fields))('a field: %s', async (_, ask) => {
    expect(await differences(ask, 'internal', 'external')).toEqual([])
  })

  const items: Readonly<Record<string, (key: string) => Promise<Answer>>> = {
    read: (key) => editor.get(`/items/articles/${key}`),
    'read with a tag': (key) => editor.get(`/items/articles/${key}`, {}, { 'if-none-match': '*' }),
    'read as a file': (key) => editor.get(`/items/articles/${key}`, { export: 'csv' }),
    'read by keys': (key) => editor.send('SEARCH', '/items/articles', { keys: [1, Number(key)] }),
    update: (key) => editor.send('PATCH', `/items/articles/${key}`, { title: 'x' }),
    'update with a tag': (key) => editor.send('PATCH', `/items/articles/${key}`, { title: 'x' }, { 'if-match': '"1"' }),
    'update in a list': (key) => editor.send('PATCH', '/items/articles', [{ id: Number(key), title: 'x' }]),
    'update by keys': (key) =>
      editor.send('PATCH', '/items/articles', { keys: [1, Number(key)], data: { title: 'x' } }),
    delete: (key) => editor.send('DELETE', `/items/articles/${key}`),
    'delete with a tag': (key) => editor.send('DELETE', `/items/articles/${key}`, undefined, { 'if-match': '"1"' }),
    'delete by keys': (key) => editor.send('DELETE', '/items/articles', [1, Number(key)]),
    batch: (key) => editor.send('POST', '/batch', [{ method: 'DELETE', path: `/items/articles/${key}` }]),
    comment: (key) => editor.send('POST', '/comments', { collection: 'articles', item: key, comment: 'x' }),
  }
  test.each(Object.entries(items))('an item: %s', async (_, ask) => {
    const before = await world.fingerprint()
    expect(await differences(ask, '2', '4711')).toEqual([])
    expect(await world.fingerprint()).toBe(before)
  })

  test('an item to link to', async () => {
    const linker = await world.person([
      grant('articles', 'create', { fields: ['title', 'author'] }),
      grant('articles', 'read', { fields: ['id'] }),
      grant('authors', 'read', { permissions: { name: { _eq: 'Bob' } } }),
    ])
    expect(
      await differences((key) => linker.send('POST', '/items/articles', { author: Number(key) }), '1', '4711'),
    ).toEqual([])
    expect(
      await differences((key) => linker.send('POST', '/items/articles', { author: { id: Number(key) } }), '1', '4711'),
    ).toEqual([])
  })
})

test('metadata names no field that the caller may not read', async () => {
  const meta = {
    sort_field: 'internal',
    archive_field: 'internal',
    archive_value: 'x',
    display_template: '{{title}} {{ internal }}',
    item_duplication_fields: ['title', 'internal'],
  }
  dataOf(await world.admin.send('PATCH', '/collections/articles', { meta }))
  dataOf(await world.admin.send('PATCH', '/relations/notes/article', { meta: { sort_field: 'private' } }))
  const caller = await world.person([
    grant('articles', 'read', { fields: ['id', 'title', 'notes'] }),
    grant('notes', 'read', { fields: ['id', 'article'] }),
  ])
  for (const path of ['/collections', '/collections/articles', '/fields', '/fields/articles', '/relations']) {
    const { status, text } = await caller.get(path)
    expect([path, status, /internal|private/u.test(text)]).toEqual([path, 200, false])
  }
  const query = '{ collections { collection meta { sort_field archive_field } } relations { meta { sort_field } } }'
  const { text } = await caller.send('POST', '/graphql/system', { query })
  expect([text.includes('articles'), /internal|private/u.test(text)]).toEqual([true, false])
  const none = { sort_field: null, archive_field: null, display_template: null, item_duplication_fields: null }
  dataOf(await world.admin.send('PATCH', '/collections/articles', { meta: none }))
})

describe('refusals name nothing that the caller did not name and may not know', () => {
  const closedWords = /vault|notes|internal|authors|launch/u

  test('a relation to a collection that is closed', async () => {
    const queries: readonly Row[] = [
      { fields: 'author.name' },
      { fields: 'author.*' },
      { filter: { author: { name: { _eq: 'x' } } } },
      { sort: 'author.name' },
      { groupBy: 'author.name', aggregate: { count: '*' } },
      { deep: { author: { _limit: 1 } } },
    ]
    for (const query of queries) {
      const answer = await editor.get('/items/articles', query)
      expect([query, answer.status, closedWords.exec(answer.text)]).toEqual([query, 403, null])
    }
    for (const body of [{ author: { name: 'x' } }, { author: { id: 1, name: 'x' } }, { author: 1 }]) {
      const answer = await editor.send('POST', '/items/articles', body)
      expect([body, answer.status, closedWords.exec(answer.text)]).toEqual([body, 403, null])
    }
  })

  test('the description of a field that leads there', async () => {
    const field = dataOf(await editor.get('/fields/articles/author')) as { schema: Row }
    expect(field.schema).toMatchObject({ foreign_key_table: null, foreign_key_schema: null, foreign_key_column: null })
    const open = dataOf(await world.admin.get('/fields/articles/author')) as { schema: Row }
    expect(open.schema).toMatchObject({ foreign_key_table: 'authors' })
  })

  // database constraints: their names come from tables that the caller may not know
  test('a row that others refer to', async () => {
    const answer = await editor.send('DELETE', '/items/articles/1')
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_FOREIGN_KEY'])
    expect(answer.text).not.toMatch(closedWords)
    expect((await world.admin.send('DELETE', '/items/articles/1')).text).toContain('notes')
  })

  test('a field that has to be given', async () => {
    const maker = await world.person([grant('authors', 'create', { fields: ['email'] })])
    const answer = await maker.send('POST', '/items/authors', { email: 'new@example.com' })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'FAILED_VALIDATION'])
    expect(answer.text).not.toContain('name')
  })

  test('a value that is taken tells the field and not the value or its row', async () => {
    const answer = await editor.send('PATCH', '/items/articles/1', { code: 'c2' })
    expect(answer.body).toEqual({
      errors: [
        {
          message: 'Value has to be unique.',
          extensions: { collection: 'articles', field: 'code', code: 'RECORD_NOT_UNIQUE' },
        },
      ],
    })
  })

  test('a column that is taken behind a preset is not named', async () => {
    const maker = await world.person([
      grant('articles', 'create', { fields: ['title'], presets: { code: 'c1' } }),
      grant('articles', 'read', { fields: ['id', 'title'] }),
    ])
    const answer = await maker.send('POST', '/items/articles', { title: 'x' })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'RECORD_NOT_UNIQUE'])
    expect(answer.text).not.toMatch(/"code":"c1"|"field":"code"/u)
  })
})

describe('the tag of an item', () => {
  test('does not tell that something hidden has changed', async () => {
    const tag = async (caller: Caller) => (await caller.get('/items/articles/3')).headers.get('etag')
    const [before, whole] = [await tag(editor), await tag(world.admin)]
    await world.database.query(`update articles set internal = 'other' where id = 3`)
    expect([await tag(editor), (await tag(world.admin)) === whole]).toEqual([before, false])
    await world.database.query(`update articles set title = 'new' where id = 3`)
    expect(await tag(editor)).not.toBe(before)
  })
})

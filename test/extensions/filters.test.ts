import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, startService, until, type Service } from '../lib/service.ts'
import { extensionFolder, extensionText, type ExtensionFolder } from './stage.ts'

const slugs = extensionText(`
  const slugOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')
  api.filter('articles', ['create', 'update'], async ({ values }, { items }) => {
    if (values.title === 'forbidden') throw api.refuse('This title is taken.', 'FAILED_VALIDATION')
    if (values.title === 'broken') throw new Error('a secret of the extension')
    if (values.title === 'unknown field') return { nothing: 1 }
    if (values.title === 'wrong type') return { words: 'many' }
    if (values.title === 'long') return { slug: 'x'.repeat(100) }
    if (values.title === 'slow') await new Promise((resolve) => setTimeout(resolve, 60_000))
    if (values.title === 'elsewhere') await items.create('logs', { text: 'elsewhere' })
    if (values.title === 'caught') await items.create('logs', { text: null }).catch(() => undefined)
    if (values.title === 'loop') await items.create('articles', { title: 'loop' })
    return typeof values.title === 'string' ? { slug: slugOf(values.title) } : undefined
  })
  api.filter('articles', ['delete'], async ({ key }, { items }) => {
    const article = await items.read<{ words: number }>('articles', key ?? '')
    if (article?.words === 7) throw api.refuse('This one stays.', 'FORBIDDEN')
  })
  api.filter('comments', ['create', 'update', 'delete'], ({ action, values, key }) => {
    if (action === 'delete') return
    return { note: \`\${action} \${key} \${Object.keys(values).sort().join()}\` }
  })
`)

const second = extensionText(`
  api.filter('articles', ['create'], ({ values }) => ({ slug: values.slug + '!' }))
`)

/** Filters run inside the transaction of the write, on every way that rows can be written. */
describe.each(testDialects)('filters on %s', (dialect) => {
  let database: TestDatabase
  let folder: ExtensionFolder
  let service: Service

  beforeAll(async () => {
    folder = await extensionFolder({ 'slugs.ts': slugs, 'z-second.js': second })
    database = await createDatabase(dialect)
    const key = { postgres: 'serial', mysql: 'integer auto_increment', sqlite: 'integer' }[dialect]
    await database.query(`
      create table articles (id ${key} primary key, title varchar(40), slug varchar(40) not null, words integer);
      create table comments (id varchar(10) not null primary key, article integer references articles (id), note varchar(60));
      create table logs (id ${key} primary key, text varchar(40) not null);`)
    service = await startService({
      DATABASE_URL: database.url,
      EXTENSIONS_PATH: folder.path,
      EXTENSIONS_FILTER_TIMEOUT: '1s',
    })
    await service.send('POST', '/fields/articles', {
      field: 'comments',
      type: 'alias',
      meta: { special: ['o2m'] },
      schema: null,
    })
    await service.send('PATCH', '/relations/comments/article', { meta: { one_field: 'comments' } })
  })

  afterAll(async () => {
    await service?.stop()
    await database?.drop()
    await folder?.remove()
  })

  const create = (values: object, headers = {}) => service.send('POST', '/items/articles', values, { headers })
  const rowsOf = async (table: string) => database.query(`select * from ${table} order by id`)

  test('values that a filter sets are written, also where a value is required', async () => {
    expect(dataOf(await create({ title: 'Hello World' }))).toMatchObject({ title: 'Hello World', slug: 'hello-world!' })
    const many = dataOf(await create([{ title: 'A b' }, { title: 'C d' }])) as { id: number; slug: string }[]
    expect(many.map(({ slug }) => slug)).toEqual(['a-b!', 'c-d!'])
    const [first] = many
    const changed = await service.send('PATCH', `/items/articles/${first?.id}`, { title: 'New one' })
    expect(dataOf(changed)).toMatchObject({ slug: 'new-one' })
    const same = await service.send('PATCH', `/items/articles/${first?.id}`, { words: 3 })
    expect(dataOf(same)).toMatchObject({ slug: 'new-one', words: 3 })
  })

  test('the same holds for GraphQL, upserts, imports and nested rows', async () => {
    const query = 'mutation { create_articles_item(data: { title: "By graphql" }) { slug } }'
    const answer = await service.send('POST', '/graphql', { query })
    expect(answer.body).toEqual({ data: { create_articles_item: { slug: 'by-graphql!' } } })
    const saved = await service.send('PUT', '/items/articles/900', { title: 'Put here' })
    expect(dataOf(saved)).toMatchObject({ id: 900, slug: 'put-here!' })
    const again = await service.send('PUT', '/items/articles/900', { title: 'Put again' })
    expect(dataOf(again)).toMatchObject({ id: 900, slug: 'put-again' })
    const form = new FormData()
    form.append('file', new File(['title\nFrom a file\n'], 'articles.csv', { type: 'text/csv' }))
    const imported = await fetch(`${service.url}/utils/import/articles`, {
      method: 'POST',
      body: form,
      headers: { authorization: 'Bearer service-test-admin-token' },
    })
    expect(imported.status).toBe(200)
    const nested = await create({ title: 'Nested', comments: [{ id: 'a' }, { id: 'b' }] })
    expect(nested.status).toBe(200)
    const slugs = await database.query(
      `select slug from articles where slug in ('from-a-file!', 'nested!') order by slug`,
    )
    expect(slugs).toEqual([['from-a-file!'], ['nested!']])
    expect((await rowsOf('comments')).map((row) => row[2])).toEqual(['create a id', 'create b id'])
  })

  test('rows that leave a list are filtered as updates', async () => {
    const made = dataOf(await create({ title: 'List', comments: [{ id: 'x' }, { id: 'y' }] })) as { id: number }
    const left = await service.send('PATCH', `/items/articles/${made.id}`, { comments: [{ id: 'x' }] })
    expect(left.status).toBe(200)
    const [row] = await database.query("select article, note from comments where id = 'y'")
    expect(row).toEqual([null, 'update y article'])
  })

  test('a refusal undoes the whole request, and says what the extension said', async () => {
    const before = await rowsOf('articles')
    const refused = await create([{ title: 'fine' }, { title: 'forbidden' }])
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({
      errors: [{ message: 'This title is taken.', extensions: { code: 'FAILED_VALIDATION', extension: 'slugs' } }],
    })
    expect(await rowsOf('articles')).toEqual(before)
  })

  test('deletes can be refused after looking at the row', async () => {
    const made = dataOf(await create([{ title: 'stays', words: 7 }, { title: 'goes' }])) as { id: number }[]
    const [stays, goes] = made.map(({ id }) => id)
    const refused = await service.send('DELETE', '/items/articles', [goes, stays])
    expect([refused.status, codeOf(refused)]).toEqual([403, 'FORBIDDEN'])
    expect((await service.get(`/items/articles/${goes}`)).status).toBe(200)
    expect((await service.send('DELETE', `/items/articles/${goes}`)).status).toBe(204)
  })

  test('what a filter returns is checked like a payload', async () => {
    const before = await rowsOf('articles')
    expect(codeOf(await create({ title: 'wrong type' }))).toBe('INVALID_PAYLOAD')
    const long = await create({ title: 'long' })
    expect([long.status, codeOf(long)]).toEqual([400, 'VALUE_TOO_LONG'])
    const unknown = await create({ title: 'unknown field' })
    expect([unknown.status, codeOf(unknown)]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
    const missing = await create({ words: 1 })
    expect(missing.status).toBe(200)
    await database.query(`delete from articles where slug = 'undefined!'`)
    expect(await rowsOf('articles')).toEqual(before)
    await until(() => service.log().includes('has no column \\"nothing\\"'), 5, 'the reason is logged')
  })

  test('errors and late answers refuse the write, tell nothing, and are logged', async () => {
    const broken = await create({ title: 'broken' })
    expect([broken.status, codeOf(broken)]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
    expect(broken.text).not.toContain('secret')
    const isLogged = () => service.log().includes('a secret of the extension')
    await until(isLogged, 5, 'the error is logged')
    const line = service.lines().find(({ msg }) => msg === 'an extension failed')
    expect(line).toMatchObject({ extension: 'slugs', hook: 'filter articles' })
    const slow = await create({ title: 'slow' })
    expect([slow.status, codeOf(slow)]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect((await create({ title: 'after it' })).status).toBe(200)
  })

  test('writes of a filter belong to the transaction, and a failed one cannot be caught', async () => {
    expect((await create({ title: 'elsewhere' }, { prefer: 'tx=rollback' })).status).toBe(200)
    expect(await rowsOf('logs')).toEqual([])
    expect((await create([{ title: 'elsewhere' }, { title: 'forbidden' }])).status).toBe(400)
    expect(await rowsOf('logs')).toEqual([])
    expect((await create({ title: 'elsewhere' })).status).toBe(200)
    expect((await rowsOf('logs')).map((row) => row[1])).toEqual(['elsewhere'])
    expect((await create({ title: 'caught' })).status).toBe(400)
    expect((await create({ title: 'loop' })).status).toBe(500)
    expect(await database.query(`select 1 from articles where title in ('caught', 'loop')`)).toEqual([])
  })
})

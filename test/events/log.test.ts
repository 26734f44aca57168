import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { SECRET, TOKEN } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'
import { logOf, untilCaptured, type Logged } from './log.ts'

const tables = `
  create table authors (id varchar(20) primary key, name varchar(100), secret varchar(100));
  create table articles (id integer primary key, title varchar(100), author varchar(20), place integer,
    constraint articles_author foreign key (author) references authors (id));
  create table tags (id integer primary key, name varchar(100));
  create table article_tags (article integer not null, tag integer not null, primary key (article, tag),
    constraint at_article foreign key (article) references articles (id),
    constraint at_tag foreign key (tag) references tags (id))`

const nameIn = (answer: { readonly body: unknown }) =>
  (answer.body as { readonly data: { readonly name: string } }).data.name

describe.each(testDialects)('the log of changes on %s', (dialect) => {
  let last = 0

  /** What a request adds to the log. */
  async function told(method: string, path: string, body?: unknown): Promise<readonly Logged[]> {
    const answer = await service.send(method, path, body)
    expect([answer.status, answer.text]).toEqual([expect.toSatisfy((status: number) => status < 300), answer.text])
    const changes = await logOf(database, last)
    last = changes.at(-1)?.position ?? last
    return changes
  }

  const short = ({ collection, key, kind, before, after }: Logged) => [collection, key, kind, before, after]

  const { database, service } = useWorld({
    dialect,
    tables: tables,
    environment: { SECRET, ADMIN_TOKEN: TOKEN, EVENTS_ENABLED: 'true', EVENTS_CAPTURE: 'all' },
    prepare: async () => {
      await untilCaptured(database)
      last = (await logOf(database)).at(-1)?.position ?? 0
      const meta = { collection: 'articles', meta: { sort_field: 'place' } }
      await service.send('PATCH', '/collections/articles', meta)
      await service.send('PATCH', '/fields/authors/secret', { meta: { special: ['conceal'] } })
    },
  })

  test('keeps a create with its row, secrets masked', async () => {
    const changes = await told('POST', '/items/authors', { id: 'a', name: 'Ada', secret: 'x' })
    expect(changes.map(short)).toEqual([
      ['authors', 'a', 'create', null, { id: 'a', name: 'Ada', secret: '**********' }],
    ])
    expect((await told('POST', '/items/tags', { id: 1, name: 'first' })).map(short)).toEqual([
      ['tags', '1', 'create', null, { id: 1, name: 'first' }],
    ])
  })

  test('keeps every row of a nested payload as one write, those of a list in the order in which they were sent', async () => {
    const changes = await told('POST', '/items/articles', [
      { id: 1, title: 'one', place: 1, author: { id: 'b', name: 'Bo' } },
      { id: 2, title: 'two', place: 2, author: 'a' },
    ])
    const lines = changes.map(({ collection, key, kind }) => `${collection} ${key} ${kind}`)
    expect(lines.filter((line) => line.startsWith('articles'))).toEqual(['articles 1 create', 'articles 2 create'])
    expect(lines).toContain('authors b create')
    expect(lines).toHaveLength(3)
    expect(new Set(changes.map(({ write }) => write)).size).toBe(1)
  })

  test('keeps an update with the row before and after', async () => {
    const changes = await told('PATCH', '/items/articles/1', { title: 'changed' })
    expect(changes.map(short)).toEqual([
      [
        'articles',
        '1',
        'update',
        { id: 1, title: 'one', author: 'b', place: 1 },
        { id: 1, title: 'changed', author: 'b', place: 1 },
      ],
    ])
  })

  test('keeps rows that leave a list with the row before', async () => {
    const changes = await told('PATCH', '/items/authors/b', { articles: [] })
    const change = changes.find(({ collection }) => collection === 'articles')
    expect([change?.before?.['author'], change?.after?.['author']]).toEqual(['b', null])
  })

  test('keeps what a move within an order has changed', async () => {
    const changes = await told('POST', '/utils/sort/articles', { item: 2, to: 1 })
    expect(changes.map(({ key, kind, before, after }) => [key, kind, before?.['place'], after?.['place']])).toEqual(
      expect.arrayContaining([
        ['2', 'update', 2, 1],
        ['1', 'update', 1, 2],
      ]),
    )
  })

  test('keeps a delete with the row before', async () => {
    expect((await told('DELETE', '/items/articles/2')).map(short)).toEqual([
      ['articles', '2', 'delete', expect.objectContaining({ id: 2, title: 'two' }), null],
    ])
  })

  test('keeps nothing of a dry run, a failed write and a failed batch', async () => {
    const before = await logOf(database)
    await service.send('POST', '/items/tags', { id: 50, name: 'dry' }, { headers: { prefer: 'tx=rollback' } })
    await service.send('POST', '/items/tags', { id: 1, name: 'again' })
    await service.send('POST', '/items/tags', [
      { id: 60, name: 'ok' },
      { id: 1, name: 'again' },
    ])
    expect(await logOf(database)).toEqual(before)
  })

  test('numbers changes without gaps, whoever writes', async () => {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 10; n += 1) {
        await service.send('POST', '/items/tags', { id: 100 + writer * 100 + n, name: `t${n}` })
        await service.send('PATCH', '/items/tags/1', { name: `${writer}-${n}` })
      }
    })
    await Promise.all(writers)
    const changes = await logOf(database)
    expect(changes.map(({ position }) => position)).toEqual(changes.map((_, index) => index + 1))
    // The row after each update is the row before the next one.
    const updates = changes.filter(
      ({ collection, key, kind }) => collection === 'tags' && key === '1' && kind === 'update',
    )
    expect(updates).toHaveLength(80)
    expect(updates.slice(1).map(({ before }) => before)).toEqual(updates.slice(0, -1).map(({ after }) => after))
    expect(nameIn(await service.get('/items/tags/1'))).toBe(updates.at(-1)?.after?.['name'])
  })
})

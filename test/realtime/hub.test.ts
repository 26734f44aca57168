import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { openStage, type Stage } from './stage.ts'

const TABLES = `
  create table notes (id integer primary key, title varchar(40), status varchar(20), score integer, owner varchar(36));
  create table parts (a integer, b varchar(10), content varchar(20), primary key (a, b));`

const read = (collection: string, more: object = {}) => ({ collection, action: 'read', fields: ['*'], ...more })

describe.each(testDialects)('a hub on %s', (dialect) => {
  let stage: Stage
  let last = 0
  const note = async (more: object = {}): Promise<number> => {
    last += 1
    const { status } = await stage.send('POST', '/items/notes', {
      id: last,
      title: `n${last}`,
      status: 'open',
      ...more,
    })
    expect(status).toBe(200)
    return last
  }
  const change = (id: number, more: object) => stage.send('PATCH', `/items/notes/${id}`, more)

  beforeAll(async () => {
    stage = await openStage(dialect, TABLES)
  })
  beforeEach(async () => {
    await stage.send('DELETE', '/items/notes', { all: true })
    stage.errors.length = 0
  })
  afterAll(() => stage.close())

  test('tells the first rows, then creates, updates and deletes', async () => {
    const id = await note()
    const all = await stage.listen(null, { collection: 'notes', query: { fields: ['id', 'title'] } })
    expect(await all.next()).toEqual(['init', [{ id, title: `n${id}` }]])
    const other = await note()
    expect(await all.next()).toEqual(['create', [{ id: other, title: `n${other}` }]])
    await change(id, { title: 'new' })
    expect(await all.next()).toEqual(['update', [{ id, title: 'new' }]])
    await stage.send('DELETE', `/items/notes/${id}`)
    expect(await all.next()).toEqual(['delete', [id]])
    all.close()
    await change(other, { title: 'unheard' })
    await all.quiet()
    expect(stage.errors).toEqual([])
  })

  test('tells one write as one event of each kind, in the order of its rows', async () => {
    const [one, two] = [await note(), await note()]
    const all = await stage.listen(null, { collection: 'notes', query: { fields: ['id'] } })
    await all.next()
    await stage.send('PATCH', '/items/notes', { keys: [two, one], data: { score: 1 } })
    const [kind, rows] = await all.next()
    expect([kind, new Set((rows as { id: number }[]).map(({ id }) => id))]).toEqual(['update', new Set([one, two])])
    await all.quiet()
  })

  test('tells rows that enter and leave the filter, and nothing of others', async () => {
    const [open, closed] = [await note(), await note({ status: 'closed' })]
    const query = { fields: ['id'], filter: { status: { _eq: 'open' } } }
    const some = await stage.listen(null, { collection: 'notes', query })
    expect(await some.next()).toEqual(['init', [{ id: open }]])
    await change(closed, { title: 'still closed' })
    await change(closed, { status: 'open' })
    expect(await some.next()).toEqual(['update', [{ id: closed }]])
    await change(open, { status: 'closed' })
    expect(await some.next()).toEqual(['delete', [open]])
    await stage.send('DELETE', `/items/notes/${open}`)
    await stage.send('DELETE', `/items/notes/${closed}`)
    expect(await some.next()).toEqual(['delete', [closed]])
    await some.quiet()
  })

  test('tells a row that was there for a moment only as gone, whatever is merged', async () => {
    const query = { fields: ['id'], filter: { status: { _eq: 'open' } } }
    const id = await note({ status: 'closed' })
    const some = await stage.listen(null, { collection: 'notes', query })
    await some.next()
    stage.log.hold()
    await change(id, { status: 'open' })
    await change(id, { status: 'closed' })
    stage.log.release()
    expect(await some.next()).toEqual(['delete', [id]])
    await some.quiet()
  })

  test('tells under the rights of each, and of the moment', async () => {
    const { token, policy } = await stage.user([
      read('notes', { fields: ['id', 'title'], permissions: { status: { _eq: 'open' } } }),
    ])
    const [open, closed] = [await note(), await note({ status: 'closed' })]
    const mine = await stage.listen(token, { collection: 'notes' })
    expect(await mine.next()).toEqual(['init', [{ id: open, title: `n${open}` }]])
    await change(closed, { title: 'hidden' })
    await change(open, { title: 'seen' })
    expect(await mine.next()).toEqual(['update', [{ id: open, title: 'seen' }]])
    await change(open, { status: 'closed' })
    expect(await mine.next()).toEqual(['delete', [open]])
    const { data } = await stage.send('GET', `/permissions?filter[policy][_eq]=${policy}`)
    const [permission] = data as { id: number }[]
    await stage.send('PATCH', `/permissions/${permission?.id}`, { permissions: { status: { _eq: 'closed' } } })
    await change(open, { title: 'open to them now' })
    expect(await mine.next()).toEqual(['update', [{ id: open, title: 'open to them now' }]])
    await stage.send('DELETE', `/permissions/${permission?.id}`)
    expect(await mine.next(1000)).toEqual(['error', 'FORBIDDEN'])
    expect(stage.errors).toEqual([])
  })

  test('refuses what the same read refuses', async () => {
    const { token } = await stage.user([read('notes', { fields: ['id'], permissions: { id: { _gt: 0 } } })])
    await expect(stage.listen(token, { collection: 'parts' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(stage.listen(token, { collection: 'notes', query: { fields: ['title'] } })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect(stage.listen(token, { collection: 'notes', item: '4711' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect(stage.listen(token, { collection: 'parts', event: 'create' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  test('tells of one item, and only the events that are asked for', async () => {
    const [one, two] = [await note(), await note()]
    const item = await stage.listen(null, { collection: 'notes', item: `0${one}`, query: { fields: ['id'] } })
    expect(await item.next()).toEqual(['init', { id: one }])
    const deletes = await stage.listen(null, { collection: 'notes', event: 'delete' })
    expect(await deletes.next()).toEqual(['init', null])
    await change(two, { score: 5 })
    await change(one, { score: 5 })
    expect(await item.next()).toEqual(['update', { id: one }])
    await stage.send('DELETE', `/items/notes/${one}`)
    expect(await item.next()).toEqual(['delete', one])
    expect(await deletes.next()).toEqual(['delete', [one]])
  })

  test('tells composite keys as addresses have them', async () => {
    const lines = await stage.listen(null, { collection: 'parts', query: { fields: ['content'] } })
    await lines.next()
    await stage.send('POST', '/items/parts', { a: 1, b: 'x,y', content: 'c' })
    expect(await lines.next()).toEqual(['create', [{ content: 'c' }]])
    await stage.send('DELETE', '/items/parts', ['1,x%2Cy'])
    expect(await lines.next()).toEqual(['delete', ['1,x%2Cy']])
  })

  test('goes on from a position, or says that it cannot', async () => {
    const [one, two] = [await note(), await note()]
    const query = { fields: ['id', 'score'], filter: { status: { _eq: 'open' } } }
    const first = await stage.listen(null, { collection: 'notes', query })
    await first.next()
    const [init] = first.told
    const from = { epoch: 'e1', number: Number((init as { position: string }).position.split('-')[1]) }
    first.close()
    await change(one, { score: 1 })
    await change(one, { score: 2 })
    await change(two, { status: 'closed' })
    const again = await stage.listen(null, { collection: 'notes', query, from })
    expect(await again.next()).toEqual(['init', null])
    expect(again.told[0]).toMatchObject({ isResumed: true })
    expect(await again.next()).toEqual(['update', [{ id: one, score: 2 }]])
    expect(await again.next()).toEqual(['delete', [two]])
    await change(one, { score: 3 })
    expect(await again.next()).toEqual(['update', [{ id: one, score: 3 }]])
    for (const wrong of [
      { epoch: 'e9', number: 1 },
      { epoch: 'e1', number: 1_000_000 },
    ]) {
      const whole = await stage.listen(null, { collection: 'notes', query, from: wrong })
      expect(await whole.next()).toEqual(['init', [{ id: one, score: 3 }]])
      expect(whole.told[0]).toMatchObject({ isResumed: false })
    }
  })

  test('begins anew after a new epoch and after all rows went at once', async () => {
    const id = await note()
    const all = await stage.listen(null, { collection: 'notes', query: { fields: ['id'] } })
    await all.next()
    await stage.log.renewEpoch('test')
    expect(await all.next()).toEqual(['init', [{ id }]])
    expect(all.told[1]).toMatchObject({ isResumed: false })
    await stage.database.query('delete from notes')
    stage.log.add([
      { write: 'outside', collection: 'notes', key: '', kind: 'truncate', before: null, after: null, user: null },
    ])
    expect(await all.next()).toEqual(['init', []])
  })

  test('begins once, although all rows go while it begins', async () => {
    await note()
    const first = await stage.listen(null, { collection: 'notes' })
    await first.next()
    const held = Promise.withResolvers<void>()
    const asked = stage.log.holdHead(held.promise)
    const beginning = stage.listen(null, { collection: 'notes' })
    await asked
    const reads = stage.log.reads()
    stage.log.add([
      { write: 'outside', collection: 'notes', key: '', kind: 'truncate', before: null, after: null, user: null },
    ])
    await vi.waitFor(() => expect(stage.log.reads()).toBeGreaterThan(reads))
    await first.quiet(50)
    held.resolve()
    const second = await beginning
    await second.next()
    await second.quiet()
  })

  test('tells what happened since the wish arrived, to who does not hear when it began', async () => {
    await stage.listen(null, { collection: 'notes' })
    const since = await stage.log.now()
    const id = await note()
    const late = await stage.listen(null, { collection: 'notes', query: { fields: ['id'] }, hasInit: false, since })
    expect(await late.next()).toEqual(['init', null])
    expect(await late.next()).toEqual(['create', [{ id }]])
  })

  test('tells an unknown deletion to those who see every row, and to others what they were told of', async () => {
    const { token } = await stage.user([read('notes', { permissions: { status: { _eq: 'open' } } })])
    const [one, two] = [await note(), await note()]
    const all = await stage.listen(null, { collection: 'notes', query: { fields: ['id'] } })
    const some = await stage.listen(token, { collection: 'notes', query: { fields: ['id'], limit: 0 } })
    const first = await stage.listen(token, { collection: 'notes', query: { fields: ['id'], limit: 1, sort: ['-id'] } })
    await Promise.all([all.next(), some.next(), first.next()])
    await change(one, { score: 1 })
    await Promise.all([all.next(), some.next(), first.next()])
    await stage.database.query('delete from notes')
    const gone = (id: number) =>
      ({
        write: 'o',
        collection: 'notes',
        key: String(id),
        kind: 'delete',
        before: null,
        after: null,
        user: null,
      }) as const
    stage.log.add([gone(one), gone(two)])
    expect(await all.next()).toEqual(['delete', [one, two]])
    expect(await some.next()).toEqual(['delete', [one]])
    expect(await first.next()).toEqual(['delete', [one, two]])
  })

  test('tells nobody anything, and what was missed to who comes back', async () => {
    const id = await note()
    const all = await stage.listen(null, { collection: 'notes', query: { fields: ['id', 'score'] } })
    await all.next()
    const { current } = all.audience
    all.audience.current = null
    stage.hub.changed(all.audience)
    await change(id, { score: 7 })
    await all.quiet()
    all.audience.current = current
    stage.hub.changed(all.audience)
    expect(await all.next()).toEqual(['update', [{ id, score: 7 }]])
  })

  test('ends what names a field that is dropped, and nothing else', async () => {
    await stage.send('POST', '/fields/parts', { field: 'passing', type: 'string', meta: {}, schema: {} })
    const named = await stage.listen(null, { collection: 'parts', query: { fields: ['a', 'passing'] } })
    const other = await stage.listen(null, { collection: 'parts', query: { fields: ['a'] } })
    await Promise.all([named.next(), other.next()])
    await stage.send('DELETE', '/fields/parts/passing')
    expect(await named.next(3000)).toEqual(['error', 'FORBIDDEN'])
    await stage.send('POST', '/items/parts', { a: 2, b: 'z' })
    expect(await other.next()).toEqual(['create', [{ a: 2 }]])
  })

  test('tells the result of a live query whenever it changes, and not otherwise', async () => {
    const [one, two] = [await note({ score: 1 }), await note({ score: 2 })]
    const query = { fields: ['id'], sort: ['-score'], limit: 1, filter: { score: { _nnull: true } } }
    const top = await stage.listen(null, { collection: 'notes', isLive: true, query })
    const count = await stage.listen(null, { collection: 'notes', isLive: true, query: { aggregate: { count: '*' } } })
    expect(await top.next()).toEqual(['init', [{ id: two }]])
    expect(await count.next()).toMatchObject(['init', [{ count: expect.anything() }]])
    await change(one, { score: 9 })
    expect(await top.next()).toEqual(['result', [{ id: one }]])
    await change(two, { score: 3 })
    await Promise.all([top.quiet(300), count.quiet(300)])
    await note()
    const [kind, rows] = await count.next()
    expect([kind, Number((rows as { count: unknown }[])[0]?.count)]).toEqual(['result', 3])
    expect(stage.errors).toEqual([])
  })

  test('tells another result of a live query when rights change', async () => {
    const { token, policy } = await stage.user([read('notes', { permissions: { status: { _eq: 'open' } } })])
    const [open, closed] = [await note(), await note({ status: 'closed' })]
    const live = await stage.listen(token, { collection: 'notes', isLive: true, query: { fields: ['id'] } })
    expect(await live.next()).toEqual(['init', [{ id: open }]])
    const { data } = await stage.send('GET', `/permissions?filter[policy][_eq]=${policy}`)
    const [permission] = data as { id: number }[]
    await stage.send('PATCH', `/permissions/${permission?.id}`, { permissions: { status: { _eq: 'closed' } } })
    expect(await live.next(2000)).toEqual(['result', [{ id: closed }]])
    await stage.send('DELETE', `/permissions/${permission?.id}`)
    expect(await live.next(1500)).toEqual(['error', 'FORBIDDEN'])
  })
})

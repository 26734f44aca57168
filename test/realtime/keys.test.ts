// Keys that a subscriber may not read: an opaque text stands for each, one for each row and subscription.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NewChange } from '../../packages/server/src/events/logged-change.ts'
import { testDialects } from '../lib/databases.ts'
import { openStage, type Listener, type Stage } from './stage.ts'

const TABLES = `
  create table people (ssn varchar(40) primary key, title varchar(40), team varchar(20));
  create table parts (a integer, b varchar(10), content varchar(20), primary key (a, b));`

const grant = (more: object = {}) => ({ collection: 'people', action: 'read', fields: ['title', 'team'], ...more })
const OPAQUE = /^[\w-]{24}$/u

/** The keys of the rows of the next event, and its kind. */
async function keysOf(listener: Listener, kind: string): Promise<readonly (string | null)[]> {
  const [told] = await listener.next()
  expect(told).toBe(kind)
  const found = listener.told.findLast((each) => each.kind === kind)
  return found !== undefined && 'rows' in found ? found.rows.map(({ key }) => key) : []
}

function expectOneHidden(keys: readonly (string | null)[], shown: string): void {
  expect(keys).toContain(shown)
  expect(keys.filter((key) => key !== shown)).toEqual([expect.stringMatching(OPAQUE)])
}

describe.each(testDialects)('keys that may not be read, on %s', (dialect) => {
  let stage: Stage
  /** Reads the key of rows of the team `open` alone. */
  let some: string
  let none: string
  let all: string

  beforeAll(async () => {
    stage = await openStage(dialect, TABLES)
    none = (await stage.user([grant(), { ...grant({ collection: 'parts' }), fields: ['a', 'content'] }])).token
    some = (await stage.user([grant(), grant({ fields: ['ssn'], permissions: { team: { _eq: 'open' } } })])).token
    all = (await stage.user([grant({ fields: ['*'] })])).token
  })
  beforeEach(async () => {
    await stage.send('DELETE', '/items/people', { all: true })
    stage.errors.length = 0
  })
  afterAll(() => stage.close())

  const person = async (ssn: string, team = 'closed') => {
    expect((await stage.send('POST', '/items/people', { ssn, title: `of ${ssn}`, team })).status).toBe(200)
  }
  const move = (ssn: string, team: string) => stage.send('PATCH', `/items/people/${ssn}`, { team })
  const remove = (ssn: string) => stage.send('DELETE', `/items/people/${ssn}`)
  const listen = async (token: string, more: object = {}) => {
    const query = { fields: ['title'] }
    const listener = await stage.listen(token, { collection: 'people', query, hasInit: false, ...more })
    expect((await listener.next())[0]).toBe('init')
    return listener
  }

  test('are one text for each row and subscription', async () => {
    await person('one')
    await person('two')
    const [first, second] = [await listen(none, { hasKeys: true }), await listen(none)]
    await move('one', 'moved')
    const [changed] = await keysOf(first, 'update')
    await second.next()
    expect(changed).toMatch(OPAQUE)
    await stage.send('DELETE', '/items/people', ['one', 'two'])
    const [kind, keys] = await first.next()
    expect(kind).toBe('delete')
    expectOneHidden(keys as string[], String(changed))
    const [, others] = (await second.next()) as [string, string[]]
    expect(new Set([...(keys as string[]), ...others]).size).toBe(4)
    expect(JSON.stringify([first.told, second.told])).not.toMatch(/"(one|two)"/u)
  })

  test('are asked of each row: as it is, and of a row that is gone as it was', async () => {
    await person('kept', 'open')
    await person('hidden')
    const listener = await listen(some, { hasKeys: true })
    await move('kept', 'open')
    expect(await keysOf(listener, 'update')).toEqual(['kept'])
    await stage.send('PATCH', '/items/people', { keys: ['hidden', 'kept'], data: { title: 'new' } })
    expectOneHidden(await keysOf(listener, 'update'), 'kept')
    await stage.send('DELETE', '/items/people', ['kept', 'hidden'])
    expectOneHidden((await listener.next())[1] as string[], 'kept')
  })

  test('are decided by the last state before the end, when a subscriber goes on from a position', async () => {
    await person('closes', 'open')
    await person('opens')
    const listener = await listen(some)
    const { position } = listener.told[0] as { position: string }
    listener.close()
    for (const [ssn, teams] of [
      ['closes', ['closed', 'open', 'closed']],
      ['opens', ['open', 'closed', 'open']],
    ] as const) {
      for (const team of teams) await move(ssn, team)
      await remove(ssn)
    }
    const from = { epoch: position.split('-')[0] ?? '', number: Number(position.split('-')[1]) }
    const again = await listen(some, { from })
    expect(await again.next()).toEqual(['delete', [expect.stringMatching(OPAQUE)]])
    expect(await again.next()).toEqual(['delete', ['opens']])
  })

  test('are told to subscribers beside them who may read them', async () => {
    await person('one')
    const [closed, open] = [await listen(none), await listen(all)]
    await remove('one')
    expect(await closed.next()).toEqual(['delete', [expect.stringMatching(OPAQUE)]])
    expect(await open.next()).toEqual(['delete', ['one']])
  })

  test('are hidden as a whole where a part of them is, and from who subscribes to one item', async () => {
    await stage.send('POST', '/items/parts', { a: 7, b: 'secret', content: 'x' })
    const parts = { collection: 'parts', query: { fields: ['content'] } }
    const listeners = [await listen(none, parts), await listen(none, { ...parts, item: '7,secret' })]
    await stage.send('DELETE', '/items/parts/7,secret')
    expect(await listeners[0]?.next()).toEqual(['delete', [expect.stringMatching(OPAQUE)]])
    expect(await listeners[1]?.next()).toEqual(['delete', expect.stringMatching(OPAQUE)])
  })

  test('are told again where the row before is not known and they were told with the row', async () => {
    await person('shown', 'open')
    await person('hidden')
    const listener = await listen(some, { hasKeys: true })
    await stage.send('PATCH', '/items/people', { keys: ['shown', 'hidden'], data: { title: 'new' } })
    const texts = await keysOf(listener, 'update')
    await stage.database.query('delete from people')
    const gone = (key: string): NewChange => {
      const images = { before: null, after: null }
      return { write: 'outside', collection: 'people', key, kind: 'delete', ...images, user: null }
    }
    stage.log.add([gone('shown'), gone('hidden')])
    const [kind, keys] = await listener.next()
    expect([kind, new Set(keys as string[])]).toEqual(['delete', new Set(texts)])
    expect(keys).toContain('shown')
  })

  test('cannot be asked for under the name of another field', async () => {
    const { token } = await stage.user([grant({ permissions: { team: { _neq: 'gone' } } })])
    await person('guessed')
    await stage.send('PATCH', '/items/people/guessed', { title: 'guessed' })
    const query = { fields: ['ssn'], alias: { ssn: 'title' } }
    const listener = await listen(token, { query, hasInit: true })
    await stage.database.query('delete from people')
    stage.log.add([
      { write: 'w', collection: 'people', key: 'guessed', kind: 'delete', before: null, after: null, user: null },
    ])
    await listener.quiet(300)
    expect(stage.errors).toEqual([])
  })
})

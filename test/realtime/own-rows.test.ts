import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { openStage, type Listener, type Stage } from './stage.ts'

const GROUPS = 60

/** Groups that differ in one value: a change is looked up for those that it can concern, and for no other. */
describe.each(testDialects)('groups that differ in a value on %s', (dialect) => {
  let stage: Stage
  let statements = 0
  const listeners: Listener[] = []

  beforeAll(async () => {
    stage = await openStage(dialect, 'create table tasks (id integer primary key, owner integer);', (engine, log) => {
      const { rows, images } = engine.watch
      const counted = <A extends unknown[], R>(work: (...given: A) => R) => {
        return (...given: A) => {
          statements += 1
          return work(...given)
        }
      }
      return { log, engine: { ...engine, watch: { ...engine.watch, rows: counted(rows), images: counted(images) } } }
    })
    for (let owner = 0; owner < GROUPS; owner += 1) {
      const query = { fields: ['id'], filter: { owner: { _eq: owner } } }
      const listener = await stage.listen(null, { collection: 'tasks', query })
      await listener.next()
      listeners.push(listener)
    }
  })
  afterAll(() => stage.close())

  test('a change costs the statements of those it concerns', async () => {
    const [, , two, three] = listeners
    statements = 0
    await stage.send('POST', '/items/tasks', { id: 1, owner: 2 })
    expect(await two?.next()).toEqual(['create', [{ id: 1 }]])
    expect(statements).toBe(1)
    await stage.send('PATCH', '/items/tasks/1', { owner: 3 })
    expect(await two?.next()).toEqual(['delete', [1]])
    expect(await three?.next()).toEqual(['update', [{ id: 1 }]])
    // The one that it left is asked for the row and for its image.
    expect(statements).toBe(4)
    await Promise.all(listeners.map((listener) => listener.quiet()))
  })
})

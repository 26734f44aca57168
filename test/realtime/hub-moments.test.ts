import { ServiceError } from '@tain/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Watch } from '../../packages/server/src/engine/watch.ts'
import { audienceOf, openStage, type Listener, type Stage } from './stage.ts'

const TABLES = 'create table notes (id integer primary key, title varchar(40), owner varchar(36));'

/** What happens to subscriptions at moments that are hard to hit from outside. */
describe('a hub', () => {
  let stage: Stage
  /** In place of the reads of the hub, as far as a test says so. */
  let instead: Partial<Watch> = {}

  beforeAll(async () => {
    stage = await openStage('sqlite', TABLES, (engine, log) => {
      const watch = new Proxy(engine.watch, {
        get: (target, name: keyof Watch) => instead[name] ?? target[name],
      })
      return { engine: { ...engine, watch }, log }
    })
  })
  beforeEach(async () => {
    instead = {}
    stage.errors.length = 0
    await stage.send('DELETE', '/items/notes', { query: { limit: -1 } })
    await stage.send('POST', '/items/notes', { id: 1, title: 'one' })
  })
  afterAll(() => stage.close())

  const change = (title: string) => stage.send('PATCH', '/items/notes/1', { title })
  const placeOf = ({ told: [first] }: Listener) => {
    const [epoch = '', number] = first !== undefined && 'position' in first ? first.position.split('-') : []
    return { epoch, number: Number(number) }
  }
  const missed = async () => {
    const first = await stage.listen(null, { collection: 'notes' })
    await first.next()
    first.close()
    await change('missed')
    return placeOf(first)
  }

  test('ends a subscription that cannot be told what it missed, because a row is too large', async () => {
    const from = await missed()
    let asked = 0
    instead = {
      rows: async () => {
        asked += 1
        await new Promise(setImmediate)
        return 'too-large'
      },
    }
    const late = await stage.listen(null, { collection: 'notes', from })
    expect(await late.next()).toEqual(['init', null])
    expect(await late.next()).toEqual(['error', 'INVALID_QUERY'])
    expect(asked).toBeLessThan(20)
  })

  test('ends a subscription that cannot be told what it missed, because the read is refused', async () => {
    const from = await missed()
    instead = { rows: () => Promise.reject(new ServiceError('INVALID_QUERY')) }
    const late = await stage.listen(null, { collection: 'notes', from })
    expect(await late.next()).toEqual(['init', null])
    expect(await late.next()).toEqual(['error', 'INVALID_QUERY'])
  })
})

import { ServiceError } from '@tain/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Watch } from '../../packages/server/src/engine/watch.ts'
import { audienceOf, openStage, type Listener, type Stage } from './stage.ts'

const TABLES = 'create table notes (id integer primary key, title varchar(40), owner integer);'

/** What happens to subscriptions at moments that are hard to hit from outside. */
describe('a hub', () => {
  let stage: Stage
  /** In place of the reads of the hub, as far as a test says so. */
  let instead: Partial<Watch> = {}
  /** Between the renewal of a caller and its use. */
  let onRenewed = () => {}
  /** Between a read of first rows and their telling. */
  let onRead = () => {}

  beforeAll(async () => {
    stage = await openStage('sqlite', TABLES, (engine, log) => {
      const watch = new Proxy(engine.watch, {
        get: (target, name: keyof Watch) => instead[name] ?? target[name],
      })
      const renew: typeof engine.renew = async (actor) => {
        const renewed = await engine.renew(actor)
        onRenewed()
        return renewed
      }
      const list: typeof engine.list = async (...asked) => {
        const rows = await engine.fresh.list(...asked)
        onRead()
        return rows
      }
      return { engine: { ...engine, watch, renew, fresh: { ...engine.fresh, list } }, log }
    })
  })
  beforeEach(async () => {
    instead = {}
    onRenewed = () => {}
    onRead = () => {}
    stage.errors.length = 0
    await stage.send('DELETE', '/items/notes', { all: true })
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

  test('tells nothing of a log that is no more, once everything has begun anew', async () => {
    const listener = await stage.listen(null, { collection: 'notes', query: { fields: ['title'] } })
    await listener.next()
    const asked = Promise.withResolvers<void>()
    const read = Promise.withResolvers<void>()
    const { watch } = stage.core.parts.engine
    instead = {
      rows: async (...given) => {
        asked.resolve()
        await read.promise
        return watch.rows(...given)
      },
    }
    await change('late')
    await asked.promise
    stage.log.restore()
    expect(await listener.next()).toEqual(['init', [{ title: 'late' }]])
    read.resolve()
    await listener.quiet()
  })

  test('goes on when rights could not be renewed for a moment', async () => {
    const all = await stage.listen(null, { collection: 'notes', query: { fields: ['title'] } })
    await all.next()
    let failures = 0
    instead = {
      renew: () => {
        failures += 1
        return Promise.reject(new ServiceError('SERVICE_UNAVAILABLE'))
      },
    }
    await stage.send('POST', '/policies', { name: 'another version' })
    await expect.poll(() => failures).toBeGreaterThan(0)
    instead = {}
    await change('heard')
    expect(await all.next()).toEqual(['update', [{ title: 'heard' }]])
  })

  test('leaves nothing out by rights from before a subscription', async () => {
    const others = await stage.listen(null, { collection: 'notes' })
    await others.next()
    const own = { collection: 'notes', action: 'read', fields: ['*'], permissions: { owner: { _eq: 5 } } }
    const { token, policy } = await stage.user([own])
    const before = audienceOf(await stage.actor(token))
    const { data } = await stage.send('GET', `/permissions?filter[policy][_eq]=${policy}`)
    const [permission] = data as { id: number }[]
    await stage.send('PATCH', `/permissions/${permission?.id}`, { permissions: {} })
    // The hub knows the new version.
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const late = await stage.listen(token, { collection: 'notes', query: { fields: ['title'] } }, before)
    expect(await late.next()).toEqual(['init', [{ title: 'one' }]])
    await change('of another')
    expect(await late.next()).toEqual(['update', [{ title: 'of another' }]])
  })

  test('gives a caller who has gone nothing back while another subscription begins', async () => {
    const all = await stage.listen(null, { collection: 'notes', query: { fields: ['title'] } })
    await all.next()
    const { audience } = all
    onRenewed = () => {
      audience.current = null
      stage.hub.changed(audience)
    }
    await expect(stage.listen(null, { collection: 'notes', event: 'create' }, audience)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await stage.send('POST', '/policies', { name: 'one more version' })
    await change('hidden')
    await all.quiet(1000)
  })

  test('ends a live query whose caller goes before its first result is told', async () => {
    const { audience } = await stage.listen(null, { collection: 'notes' })
    onRead = () => {
      audience.current = null
      stage.hub.changed(audience)
    }
    const live = await stage.listen(null, { collection: 'notes', isLive: true }, audience)
    expect(await live.next()).toEqual(['error', 'FORBIDDEN'])
  })
})

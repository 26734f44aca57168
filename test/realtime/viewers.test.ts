// Subscribers who are shown the same share one read, but each of them only under permissions of its own that are current.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { audienceOf, openStage, type Stage } from './stage.ts'

const TABLES = 'create table notes (id integer primary key, title varchar(40));'
const read = { collection: 'notes', action: 'read', fields: ['*'] }

describe('subscribers under other permissions', () => {
  let stage: Stage
  let last = 0

  beforeAll(async () => {
    stage = await openStage('sqlite', TABLES)
  })
  beforeEach(async () => {
    last += 1
    await stage.send('POST', '/items/notes', { id: last, title: 'first' })
  })
  afterAll(() => stage.close())

  const change = (title: string) => stage.send('PATCH', `/items/notes/${last}`, { title })
  const takeAway = async (policy: string) => {
    const { data } = await stage.send('GET', `/permissions?filter[policy][_eq]=${policy}`)
    expect((await stage.send('DELETE', `/permissions/${(data as { id: number }[])[0]?.id}`)).status).toBe(204)
  }

  test.each([false, true])('tell nothing to one who has lost them meanwhile, live: %s', async (isLive) => {
    const [lost, kept] = [await stage.user([read]), await stage.user([read])]
    const wish = { collection: 'notes', query: { fields: ['title'] }, isLive }
    const loser = await stage.listen(lost.token, wish)
    await loser.next()
    await takeAway(lost.policy)
    const keeper = await stage.listen(kept.token, wish)
    await keeper.next()
    const title = `new ${last}`
    await change(title)
    expect(JSON.stringify(await keeper.next())).toContain(title)
    expect(await loser.next()).toEqual(['error', 'FORBIDDEN'])
    expect(JSON.stringify(loser.told)).not.toContain(title)
  })

  test('end for a viewer who is no administrator any more, before anything that is written since', async () => {
    const { token } = await stage.user([read])
    const admin = await stage.user([])
    expect((await stage.send('PATCH', `/policies/${admin.policy}`, { admin_access: true })).status).toBe(200)
    const audience = { ...audienceOf(await stage.actor(token)), viewer: await stage.actor(admin.token) }
    const viewed = await stage.listen(token, { collection: 'notes', query: { fields: ['title'] } }, audience)
    await viewed.next()
    await change('seen')
    expect(await viewed.next()).toEqual(['update', [{ title: 'seen' }]])
    await stage.send('PATCH', `/policies/${admin.policy}`, { admin_access: false })
    await change('written since')
    expect(await viewed.next()).toEqual(['error', 'FORBIDDEN'])
    await viewed.quiet()
  })
})

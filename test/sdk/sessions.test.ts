import { isTainError, memoryStore } from '@tain/sdk'
import {
  listCollections,
  randomText,
  readMe,
  readOpenApi,
  readSdl,
  readSnapshot,
  serverHealth,
  serverInfo,
  serverPing,
} from '@tain/sdk/procedures'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePerson, makeRole, type Person } from '../service/accounts.ts'
import { startWorld, type World } from './world.ts'

let world: World
let person: Person
beforeAll(async () => {
  world = await startWorld({ ACCESS_TOKEN_TTL: '2s' })
  person = await makePerson(world.database, { role: await makeRole(world.database, { isAdmin: true }) })
})
afterAll(() => world.end())

const credentials = () => ({ email: person.email, password: person.password })

function counting() {
  const state = {
    paths: [] as string[],
    fetch: (async (url, init) => {
      state.paths.push(new URL(url as string).pathname)
      return fetch(url, init)
    }) as typeof fetch,
    count: (path: string) => state.paths.filter((each) => each === path).length,
  }
  return state
}

describe('sessions', () => {
  test('sign in, refresh once for all calls after the token has expired, sign out', async () => {
    const [counted, store] = [counting(), memoryStore()]
    const tain = world.client({ fetch: counted.fetch, auth: { store } })
    await tain.login(credentials())
    expect(await tain.call(readMe, { fields: ['email'] })).toEqual({ email: person.email })
    const before = await store.get()
    await sleep(2100)
    await Promise.all(Array.from({ length: 10 }, () => tain.items('tags').list()))
    expect(counted.count('/auth/refresh')).toBe(1)
    expect(await store.get()).not.toEqual(before)
    await tain.logout()
    expect(await store.get()).toBeNull()
    await expect(tain.items('tags').list()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('a token that expires early, by the clock of the service, is refreshed too', async () => {
    const [counted, kept] = [counting(), memoryStore()]
    // A clock that is slow: the client believes in the token for another hour.
    const store: typeof kept = {
      get: () => kept.get(),
      set: (tokens) => kept.set(tokens === null ? null : { ...tokens, renew_at: Date.now() + 3_600_000 }),
    }
    const tain = world.client({ fetch: counted.fetch, auth: { store } })
    await tain.login(credentials())
    await sleep(2100)
    expect(await tain.items('tags').list({ limit: 1 })).toHaveLength(1)
    expect(counted.paths).toEqual(['/auth/login', '/items/tags', '/auth/refresh', '/items/tags'])
  })

  test('a wrong password is refused', async () => {
    const error: unknown = await world
      .client({})
      .login({ email: person.email, password: 'wrong' })
      .catch((reason: unknown) => reason)
    expect(isTainError(error, 'INVALID_CREDENTIALS')).toBe(true)
  })
})

describe('procedures', () => {
  test('of every kind of response', async () => {
    const { tain } = world
    expect(await tain.call(serverPing)).toBe('pong')
    expect((await tain.call(serverHealth)).status).toBe('ok')
    expect((await tain.call(serverInfo)).project).toEqual(expect.any(Object))
    expect(await tain.call(randomText, { length: 12 })).toHaveLength(12)
    expect((await tain.call(listCollections)).map(({ collection }) => collection)).toContain('order_lines')
    expect(await tain.call(readSdl, { scope: 'system' })).toContain('type Query')
    expect(await tain.call(readOpenApi)).toMatchObject({ openapi: expect.stringContaining('3.') })
    expect(await tain.call(readSnapshot, { includeCollections: ['tags'] })).toEqual(expect.any(Object))
    expect(await tain.call(readSnapshot, { export: 'yaml' })).toContain('collections:')
  })
})

test('collections of the service have their own addresses', async () => {
  const filter = { email: { _eq: person.email } }
  expect(await world.tain.items('service_users').list({ fields: ['id'], filter })).toEqual([{ id: person.id }])
  const email = `new-${person.id}@example.com`
  const user = await world.tain
    .items('service_users')
    .create({ email, password: 'a long password' }, { fields: ['id'] })
  expect(await world.tain.items('service_users').read(user.id, { fields: ['email'] })).toEqual({ email })
  await world.tain.items('service_users').delete(user.id)
})

test('GraphQL, with variables and in both scopes', async () => {
  const { tain } = world
  const document = 'query ($name: String) { tags(filter: { name: { _eq: $name } }) { name } }'
  expect(await tain.graphql(document, { name: 'gift' })).toEqual({ tags: [{ name: 'gift' }] })
  expect(await tain.graphql('{ server_ping }', {}, { scope: 'system' })).toEqual({ server_ping: 'pong' })
})

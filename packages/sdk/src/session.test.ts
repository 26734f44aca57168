import { describe, expect, test } from 'vitest'
import { fakeService, json, refusal, type Asked, type FakeService } from './fake-service.ts'
import { createClient, isTainError, memoryStore, type SessionOptions } from './index.ts'

interface World extends FakeService {
  /** The tokens that are valid now. */
  access: string
  refresh: string
  expires: number
  count(path: string): number
}

/** A service with one user, whose tokens change at each refresh. */
function world(expires = 900_000): World {
  let number = 0
  const tokens = () => {
    number += 1
    state.access = `access-${number}`
    state.refresh = `refresh-${number}`
    return json({ data: { access_token: state.access, refresh_token: state.refresh, expires: state.expires } })
  }
  const answer = async ({ url, body, headers }: Asked) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (url.endsWith('/auth/login')) return tokens()
    if (url.endsWith('/auth/logout')) return new Response(null, { status: 204 })
    if (url.endsWith('/auth/refresh'))
      return (body as { refresh_token: string }).refresh_token === state.refresh
        ? tokens()
        : refusal(401, 'INVALID_CREDENTIALS')
    return headers['authorization'] === `Bearer ${state.access}`
      ? json({ data: [] })
      : refusal(401, headers['authorization'] === undefined ? 'INVALID_CREDENTIALS' : 'TOKEN_EXPIRED')
  }
  const service = fakeService(answer)
  const state: World = {
    ...service,
    access: '',
    refresh: '',
    expires,
    count: (path) => service.asked.filter(({ url }) => url.endsWith(path)).length,
  }
  return state
}

const clientOf = ({ fetch }: World, auth?: SessionOptions) =>
  createClient({ url: 'http://tain', fetch, ...(auth === undefined ? {} : { auth }) })

const person = { email: 'a@b.c', password: 'secret' }

describe('a session with tokens', () => {
  test('sends the access token after the login, and none before and after', async () => {
    const service = world()
    const tain = clientOf(service)
    await expect(tain.items('tags').list()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    await tain.login(person)
    await tain.items('tags').list()
    await tain.logout()
    await expect(tain.items('tags').list()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(service.asked[1]?.body).toEqual({ ...person, mode: 'json' })
    expect(service.asked[3]?.body).toEqual({ mode: 'json', refresh_token: 'refresh-1' })
    expect(service.asked.every(({ credentials }) => credentials === undefined)).toBe(true)
  })

  test('many calls with an expired token refresh it once', async () => {
    const service = world()
    const tain = clientOf(service)
    await tain.login(person)
    service.access = 'ended by the service'
    await Promise.all(Array.from({ length: 20 }, () => tain.items('tags').list()))
    expect(service.count('/auth/refresh')).toBe(1)
    expect(service.count('/items/tags')).toBe(40)
  })

  test('a token that is about to expire is refreshed before it is used, once for all calls', async () => {
    const service = world(20)
    const tain = clientOf(service)
    await tain.login(person)
    await new Promise((resolve) => setTimeout(resolve, 25))
    service.expires = 900_000
    await Promise.all(Array.from({ length: 20 }, () => tain.items('tags').list()))
    expect(service.count('/auth/refresh')).toBe(1)
    expect(service.count('/items/tags')).toBe(20)
  })

  test('a session that has ended is forgotten, and the caller is told', async () => {
    const [service, store] = [world(), memoryStore()]
    const tain = clientOf(service, { store })
    await tain.login(person)
    service.access = 'ended'
    service.refresh = 'ended'
    const error: unknown = await tain
      .items('tags')
      .list()
      .catch((reason: unknown) => reason)
    expect(isTainError(error, 'INVALID_CREDENTIALS')).toBe(true)
    expect(await store.get()).toBeNull()
    expect(service.count('/auth/refresh')).toBe(1)
  })

  test('two clients with one store, as tabs have it: the slower one uses what the faster one got', async () => {
    const [service, store] = [world(), memoryStore()]
    const [first, second] = [clientOf(service, { store }), clientOf(service, { store })]
    await first.login(person)
    service.access = 'ended by the service'
    await Promise.all([first.items('tags').list(), second.items('tags').list()])
    expect(await store.get()).toMatchObject({ access_token: service.access })
  })

  test('a call does not wait for a refresh longer than it may take', async () => {
    const service = fakeService(
      () => json({ data: { access_token: 'x', refresh_token: 'y', expires: 0 } }),
      () => new Promise<Response>(() => {}),
    )
    const tain = createClient({ url: 'http://tain', fetch: service.fetch })
    await tain.login(person)
    await expect(tain.items('tags').list({}, { timeout: 30 })).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(service.asked).toHaveLength(2)
  })

  test('a refresh that fails for another reason than a refusal keeps the tokens', async () => {
    const [service, store] = [world(0), memoryStore()]
    const lost: typeof fetch = async (...request) => {
      if ((request[0] as string).endsWith('/auth/refresh')) throw new TypeError('fetch failed')
      return service.fetch(...request)
    }
    const tain = createClient({ url: 'http://tain', fetch: lost, auth: { store } })
    await tain.login(person)
    expect(await tain.items('tags').list()).toEqual([])
    expect(await store.get()).toMatchObject({ access_token: 'access-1' })
  })

  test.each([0, 3])('a logout %d ms after a refresh began is the last word', async (wait) => {
    const [service, store] = [world(0), memoryStore()]
    const tain = clientOf(service, { store })
    await tain.login(person)
    const list = tain
      .items('tags')
      .list()
      .catch((error: unknown) => error)
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    await Promise.all([list, tain.logout()])
    expect(await store.get()).toBeNull()
    const ended = service.asked.filter(({ url }) => url.endsWith('/auth/logout')).map(({ body }) => body)
    expect(ended).toContainEqual({ mode: 'json', refresh_token: 'refresh-2' })
  })

  test('a request is not repeated for ever', async () => {
    const service = fakeService((asked) =>
      asked.url.includes('/auth/')
        ? json({ data: { access_token: 'x', refresh_token: 'y', expires: 900_000 } })
        : refusal(401, 'TOKEN_EXPIRED'),
    )
    const tain = createClient({ url: 'http://tain', fetch: service.fetch })
    await tain.login(person)
    await expect(tain.items('tags').list()).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
    expect(service.asked).toHaveLength(4)
  })
})

test('a session in cookies sends them and no token', async () => {
  const service = fakeService(
    () => json({ data: { expires: 900_000 } }),
    () => refusal(401, 'TOKEN_EXPIRED'),
    () => json({ data: { expires: 900_000 } }),
    () => json({ data: [] }),
    () => new Response(null, { status: 204 }),
  )
  const tain = createClient({ url: 'http://tain', fetch: service.fetch, auth: { mode: 'session' } })
  await tain.login(person)
  await tain.items('tags').list()
  await tain.logout()
  expect(service.asked.map(({ url }) => new URL(url).pathname)).toEqual([
    '/auth/login',
    '/items/tags',
    '/auth/refresh',
    '/items/tags',
    '/auth/logout',
  ])
  expect(service.asked.every(({ credentials }) => credentials === 'include')).toBe(true)
  expect(service.asked.some(({ headers }) => 'authorization' in headers)).toBe(false)
})

test('calls of a session in cookies that are refused one after the other refresh it once', async () => {
  let isFresh = false
  const service = fakeService(async ({ url }) => {
    if (url.endsWith('/auth/refresh')) isFresh = true
    if (url.includes('/auth/')) return json({ data: { expires: 900_000 } })
    const answer = isFresh ? json({ data: [] }) : refusal(401, 'TOKEN_EXPIRED')
    await new Promise((resolve) => setTimeout(resolve, service.asked.length * 10))
    return answer
  })
  const tain = createClient({ url: 'http://tain', fetch: service.fetch, auth: { mode: 'session' } })
  await tain.login(person)
  await Promise.all(Array.from({ length: 5 }, () => tain.items('tags').list()))
  expect(service.asked.filter(({ url }) => url.endsWith('/auth/refresh'))).toHaveLength(1)
})

test('a static token is sent as it is, and has no session', async () => {
  const service = fakeService(() => json({ data: [] }))
  const tain = createClient({ url: 'http://tain', fetch: service.fetch, auth: async () => 'made' })
  await tain.items('tags').list()
  expect(service.asked[0]?.headers['authorization']).toBe('Bearer made')
  expect(() => tain.login(person)).toThrow('no session')
})

import { describe, expect, test } from 'vitest'
import { fakeService, json, refusal, type Answer } from './fake-service.ts'
import { createClient, isTainError, type ClientOptions, type TainError } from './index.ts'
import { asked, backoff } from './retry.ts'

const away: Answer = () => refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' })
const lost: Answer = () => {
  throw new TypeError('fetch failed')
}
const rows: Answer = () => json({ data: [{ id: 1 }] })

function client(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const service = fakeService(...answers)
  const { items, ...rest } = createClient({ url: 'http://tain/', fetch: service.fetch, auth: 'secret', ...options })
  return { ...rest, tags: items('tags'), asked: service.asked }
}

/** The error of a call that must fail. */
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error: unknown) => error,
  )

describe('repetitions', () => {
  test.each([
    ['503', away],
    ['429', () => refusal(429, 'REQUESTS_EXCEEDED', { 'retry-after': '0' })],
    ['a lost connection', lost],
  ] as const)('a read is repeated after %s', async (_, failing) => {
    const { tags, asked } = client([failing, failing, rows])
    expect(await tags.list()).toEqual([{ id: 1 }])
    expect(asked).toHaveLength(3)
  })

  test('a write is repeated with the same key', async () => {
    const { tags, asked } = client([lost, away, () => json({ data: { id: 1 } })])
    expect(await tags.create({ name: 'x' })).toEqual({ id: 1 })
    const keys = asked.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/u)
    expect(new Set(keys).size).toBe(1)
  })

  test('two writes have different keys, and the caller may choose one', async () => {
    const { tags, asked } = client([() => json({ data: {} })])
    await tags.create({})
    await tags.create({})
    await tags.create({}, {}, { idempotencyKey: 'mine' })
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(3)
    expect(asked[2]?.headers['idempotency-key']).toBe('mine')
  })

  test('without repetitions there is no key, and a failure is final', async () => {
    const { tags, asked } = client([away], { retries: 0 })
    expect(isTainError(await errorOf(tags.create({})), 'SERVICE_UNAVAILABLE')).toBe(true)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  test('the number of repetitions is limited', async () => {
    const { tags, asked } = client([away])
    expect(isTainError(await errorOf(tags.list()), 'SERVICE_UNAVAILABLE')).toBe(true)
    expect(asked).toHaveLength(3)
    expect(isTainError(await errorOf(tags.list({}, { retries: 1 })), 'SERVICE_UNAVAILABLE')).toBe(true)
    expect(asked).toHaveLength(5)
  })

  test('refusals are not repeated', async () => {
    const { tags, asked } = client([() => refusal(403, 'FORBIDDEN')])
    expect(isTainError(await errorOf(tags.list()), 'FORBIDDEN')).toBe(true)
    expect(asked).toHaveLength(1)
  })

  test('mutations of GraphQL are not repeated, queries are', async () => {
    const { graphql, asked } = client([away])
    await errorOf(graphql('mutation { x }'))
    expect(asked).toHaveLength(1)
    await errorOf(graphql('{ tags { id } }'))
    expect(asked).toHaveLength(4)
  })

  test('waits as long as the service asks, and not beyond the time of the call', async () => {
    const { tags, asked } = client([() => refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '60' })])
    const began = performance.now()
    expect(isTainError(await errorOf(tags.list({}, { timeout: 5000 })), 'SERVICE_UNAVAILABLE')).toBe(true)
    expect(asked).toHaveLength(1)
    expect(performance.now() - began).toBeLessThan(2000)
  })
})

describe('waits', () => {
  test('Retry-After is a number of seconds or a date', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(asked('3', now)).toBe(3000)
    expect(asked('Thu, 01 Jan 2026 00:00:07 GMT', now)).toBe(7000)
    expect(asked('Thu, 01 Jan 2025 00:00:07 GMT', now)).toBe(0)
    expect(asked('soon', now)).toBeNull()
    expect(asked(null, now)).toBeNull()
  })

  test('grow, are spread, and end', () => {
    expect(backoff(0, 0)).toBe(100)
    expect(backoff(0, 1)).toBe(200)
    expect(backoff(2, 1)).toBe(800)
    expect(backoff(30, 1)).toBe(10_000)
  })
})

test('the latest position of a write is sent with what follows, whatever the order of the responses', async () => {
  const told = ['0-FF.1.x', '1-2.1.x', '0-100.1.x']
  const answers = told.map((position) => () => json({ data: {} }, 200, { 'x-service-position': position }))
  const { tags, asked } = client([...answers, rows])
  for (const _ of told) await tags.create({})
  await tags.list()
  expect(asked.map(({ headers }) => headers['x-service-position'])).toEqual([
    undefined,
    '0-FF.1.x',
    '1-2.1.x',
    '1-2.1.x',
  ])
})

/** Never answers, as a real `fetch` does until its signal aborts. */
const silent: Answer = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
  })

describe('ends of calls', () => {
  test('a call that takes too long is a TIMEOUT', async () => {
    const { tags } = client([silent], { timeout: 30 })
    const error = await errorOf(tags.list())
    expect(isTainError(error, 'TIMEOUT')).toBe(true)
    expect((error as TainError).status).toBe(0)
  })

  test('an abort of the caller stays what it is, also between two attempts', async () => {
    const reason = new Error('no longer needed')
    for (const answer of [silent, () => refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '20' })]) {
      const controller = new AbortController()
      const call = client([answer]).tags.list({}, { signal: controller.signal })
      setTimeout(() => controller.abort(reason), 20)
      expect(await errorOf(call)).toBe(reason)
    }
  })

  test('errors of the caller are thrown as they are, at once', async () => {
    const mine = new Error('no token')
    const { tags, asked } = client([rows], { auth: () => Promise.reject(mine) })
    expect(await errorOf(tags.list())).toBe(mine)
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(await errorOf(client([rows]).tags.create(circle))).toBeInstanceOf(TypeError)
    expect(asked).toHaveLength(0)
  })

  test('a server that cannot be reached is a NETWORK error with its cause', async () => {
    const error = await errorOf(client([lost], { retries: 0 }).tags.list())
    expect(isTainError(error, 'NETWORK')).toBe(true)
    expect((error as TainError).cause).toBeInstanceOf(TypeError)
  })
})

describe('errors', () => {
  test('carry code, status, extensions and all errors', async () => {
    const errors = [
      { message: 'One.', extensions: { code: 'FAILED_VALIDATION', field: 'a' } },
      { message: 'Two.', extensions: { code: 'FAILED_VALIDATION', field: 'b' } },
    ]
    const error = await errorOf(client([() => json({ errors }, 400)]).tags.create({}))
    expect(error).toMatchObject({ code: 'FAILED_VALIDATION', status: 400, message: 'One. Two.', errors })
    expect((error as TainError).extensions['field']).toBe('a')
    expect(isTainError(error)).toBe(true)
    expect(isTainError(error, 'FORBIDDEN')).toBe(false)
    expect(isTainError(new Error('x'))).toBe(false)
  })

  test('a page of a proxy is an UNEXPECTED_RESPONSE', async () => {
    const error = await errorOf(client([() => new Response('<h1>Bad</h1>', { status: 500 })]).tags.list())
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 500 })
    expect((error as TainError).message).toContain('<h1>Bad</h1>')
  })

  test('so is one with the status of a success', async () => {
    const error = await errorOf(client([() => new Response('<h1>Welcome</h1>')]).tags.list())
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 })
  })

  test('GraphQL: errors with what could be answered', async () => {
    const errors = [{ message: 'No.', extensions: { code: 'FORBIDDEN' } }]
    const error = await errorOf(client([() => json({ data: { a: 1, b: null }, errors })]).graphql('{ a b }'))
    expect(error).toMatchObject({ code: 'FORBIDDEN', status: 200, data: { a: 1, b: null } })
  })
})

import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { codeOf, TOKEN } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const { database, service } = useWorld({
  environment: { RATE_LIMITER_TOKEN_POINTS: '5', IP_CUSTOM_HEADER: 'x-client' },
})

describe('a static token', () => {
  test('has at least twelve characters', async () => {
    const make = (token: string) => service.send('POST', '/users', { token })
    for (const token of ['', '1', 'x'.repeat(11)]) {
      const answer = await make(token)
      expect([token, answer.status, codeOf(answer)]).toEqual([token, 400, 'INVALID_PAYLOAD'])
    }
    expect((await make(randomUUID().slice(0, 12))).status).toBe(200)
  })

  test('that was shorter before still works', async () => {
    const [token, id] = ['short', randomUUID()]
    await database.query(
      `insert into tain.service_users (id, token) values ('${id}', '${createHash('sha256').update(token).digest('hex')}')`,
    )
    await database.query('update tain.service_version set rights = rights + 1')
    expect((await service.get('/users/me', { token })).status).toBe(200)
  })

  test('cannot be guessed without end from one address, and the right one is refused then too', async () => {
    const token = `token-${randomUUID()}`
    expect((await service.send('POST', '/users', { token })).status).toBe(200)
    const from = (address: string, guess: string) =>
      service.get('/users/me', { token: guess, headers: { 'x-client': address } })
    const used = await from('203.0.113.1', TOKEN)
    for (let guess = 0; guess < 5; guess += 1)
      expect(codeOf(await from('203.0.113.1', `guess-${guess}`))).toBe('INVALID_CREDENTIALS')
    const refused = await from('203.0.113.1', token)
    expect([refused.status, codeOf(refused), refused.headers.has('retry-after')]).toEqual([
      429,
      'REQUESTS_EXCEEDED',
      true,
    ])
    // Tokens already in use at that address keep working, and so do other addresses.
    expect([used.status, (await from('203.0.113.1', TOKEN)).status]).toEqual([200, 200])
    expect((await from('203.0.113.2', token)).status).toBe(200)
  })
})

test('the page to try GraphQL in runs its own script alone, is shown by no other site, and is sent once', async () => {
  const headers = { accept: 'text/html' }
  const page = await service.get('/graphql', { headers })
  const policy = page.headers.get('content-security-policy') ?? ''
  const script = /<script>([\s\S]*?)<\/script>/u.exec(page.text)?.[1] ?? ''
  expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  const etag = page.headers.get('etag') ?? ''
  const again = await service.get('/graphql', { headers: { ...headers, 'if-none-match': etag } })
  expect([page.status, again.status, again.text]).toEqual([200, 304, ''])
})

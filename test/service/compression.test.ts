import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { dataOf, openService, TOKEN } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const { database, service } = useWorld({
  tables: `
    create table notes (id int primary key, body text not null);
    insert into notes select n, repeat('what is said again and again ', 20) from generate_series(1, 2000) n`,
})

interface Answer {
  readonly status: number
  readonly encoding: string | undefined
  readonly vary: string | undefined
  readonly body: Buffer
}

/** Without the decompression that fetch does by itself. */
const ask = (path: string, accepted: string | null, { url } = service): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      ...(accepted === null ? {} : { 'accept-encoding': accepted }),
    }
    request(`${url}${path}`, { headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers: got } = response
        resolve({ status, encoding: got['content-encoding'], vary: got.vary, body: Buffer.concat(pieces) })
      })
    })
      .on('error', reject)
      .end()
  })

const LONG = '/items/notes?limit=100'
const readers = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const

describe.each(['zstd', 'br', 'gzip'] as const)('%s', (encoding) => {
  test.each([
    ['a list', LONG],
    ['a large list', '/items/notes?limit=-1'],
    ['an export', '/items/notes?limit=-1&export=csv'],
    ['GraphQL', `/graphql?query=${encodeURIComponent('{ notes { id body } }')}`],
    ['the structure', '/fields'],
  ])('%s has the same content as without it', async (_, path) => {
    const plain = await ask(path, null)
    const packed = await ask(path, encoding)
    expect(plain.encoding).toBeUndefined()
    expect(packed).toMatchObject({ status: 200, encoding })
    expect(packed.vary?.toLowerCase()).toContain('accept-encoding')
    expect(packed.vary).toContain('Authorization')
    expect(readers[encoding](packed.body).equals(plain.body)).toBe(true)
    expect(packed.body.length).toBeLessThan(plain.body.length / 4)
  })
})

/**
 * Who can choose a part of a response and see its length learns a secret in another part, byte by byte: a guess that is
 * right compresses better (BREACH). So what holds a secret is sent as it is, however long a caller makes it.
 */
describe.each(['zstd', 'br', 'gzip'] as const)(
  '%s is not used for secrets beside what the caller wrote',
  (encoding) => {
    const PASSWORD = 'a password that is long enough'
    const LONG_NAME = `guess_${'access_token_'.repeat(200)}`
    let refreshToken = ''
    let email = ''

    /** The body is what was sent if it is not compressed. */
    const post = async (path: string, body: object, token: string | null = null) => {
      const answer = await service.send('POST', path, body, { token, headers: { 'accept-encoding': encoding } })
      const { headers } = answer
      return { answer, sent: [answer.status, headers.get('content-encoding'), headers.get('cache-control')] }
    }
    const graphql = (field: string, token: string | null = null) =>
      post('/graphql/system', { query: `mutation { ${LONG_NAME}: ${field} }` }, token)
    const plain = [200, null, 'no-store']

    beforeAll(async () => {
      email = `${encoding}@example.com`
      dataOf(await service.send('POST', '/users', { email, password: PASSWORD }))
    })

    test('logging in', async () => {
      const { answer, sent } = await post('/auth/login', { email, password: PASSWORD })
      expect(sent).toEqual(plain)
      refreshToken = (dataOf(answer) as { refresh_token: string }).refresh_token
      expect(refreshToken).not.toBe('')
    })

    test('renewing tokens', async () => {
      const { answer, sent } = await post('/auth/refresh', { refresh_token: refreshToken })
      expect(sent).toEqual(plain)
      refreshToken = (dataOf(answer) as { refresh_token: string }).refresh_token
    })

    test('logging in and renewing tokens in GraphQL, under a name of any length', async () => {
      const credentials = `email: "${email}", password: ${JSON.stringify(PASSWORD)}`
      const { answer, sent } = await graphql(`auth_login(${credentials}) { access_token refresh_token }`)
      expect(sent).toEqual(plain)
      expect(answer.text).toMatch(/access_token_":\{"access_token":"[\w.-]+"/u)
      expect(answer.text.length).toBeGreaterThan(2048)
      const renewed = await graphql(`auth_refresh(refresh_token: "${refreshToken}") { access_token }`)
      expect(renewed.sent).toEqual(plain)
      expect(renewed.answer.text).toContain('"access_token":"')
    })

    test('the secret of a second factor', async () => {
      const { answer } = await post('/auth/login', { email, password: PASSWORD })
      const { access_token: token } = dataOf(answer) as { access_token: string }
      const { sent } = await post('/users/me/tfa/generate', { password: PASSWORD }, token)
      expect(sent).toEqual(plain)
      const named = await graphql(
        `users_me_tfa_generate(password: ${JSON.stringify(PASSWORD)}) { secret otpauth_url }`,
        token,
      )
      expect(named.sent).toEqual(plain)
      expect(named.answer.text).toContain('"secret":"')
    })

    test('other responses under such a name are compressed', async () => {
      const query = `{ ${LONG_NAME}: server_ping }`
      const { sent } = await post('/graphql/system', { query }, TOKEN)
      expect(sent).toEqual([200, encoding, 'private, no-cache'])
    })
  },
)

test('zstd comes before brotli and gzip, and what the client refuses is not sent', async () => {
  expect((await ask(LONG, 'gzip, deflate, br, zstd')).encoding).toBe('zstd')
  expect((await ask(LONG, 'gzip, deflate, br, zstd;q=0.9')).encoding).toBe('br')
  expect((await ask(LONG, 'gzip, deflate, br')).encoding).toBe('br')
  expect((await ask(LONG, 'gzip;q=1, br;q=0')).encoding).toBe('gzip')
  expect((await ask(LONG, 'identity')).encoding).toBeUndefined()
})

test('short responses are not compressed', async () => {
  expect((await ask('/items/notes/1', 'br')).encoding).toBeUndefined()
})

test('compressed requests are not understood', async () => {
  const { status } = await service.send('POST', '/items/notes', 'x', { headers: { 'content-encoding': 'gzip' } })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
})

test('COMPRESSION=false leaves it to a proxy', async () => {
  const plain = await openService({ DATABASE_URL: database.url, COMPRESSION: 'false' })
  expect((await ask(LONG, 'br', plain)).encoding).toBeUndefined()
  await plain.stop()
})

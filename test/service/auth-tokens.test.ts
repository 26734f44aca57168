import { generateKeyPairSync, randomUUID, sign as signWith } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { codeOf, openService, SECRET } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'
import {
  claimsOf,
  cookieHeader,
  forge,
  headerOf,
  login,
  makePerson,
  makeRole,
  post,
  tokensOf,
  type Person,
} from './accounts.ts'
import { loadFixture } from './fixture.ts'

const PREVIOUS = 'the-secret-before-this-one-the-secret-before'
const NEXT = 'the-secret-after-this-one-the-secret-after-it'

let person: Person
let other: Person
let access: string
let claims: Record<string, unknown>

const { database, service } = useWorld({
  tables: loadFixture,
  environment: { LOGIN_STALL_TIME: '0', SECRET_PREVIOUS: PREVIOUS },
  prepare: async () => {
    const role = await makeRole(database, { isAdmin: true })
    person = await makePerson(database, { role })
    other = await makePerson(database, { role, status: 'suspended' })
    access = (await tokensOf(service, person)).access_token
    claims = claimsOf(access)
  },
})

const tags = (token: string, at = service) => at.get('/items/tags', { token })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)))
const now = () => Math.floor(Date.now() / 1000)

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' })

function signedByRsa(content: unknown, header: unknown): string {
  const text = `${encode(header)}.${encode(content)}`
  return `${text}.${signWith('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

const parts = () => access.split('.') as [string, string, string]
const flipped = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
const unsigned = (header: unknown, content: unknown = claims) => `${encode(header)}.${encode(content)}.`

/** Name of the defect, the token, the error code. Tokens are built on use, because only then a real token exists. */
const bad: readonly (readonly [string, () => string, string])[] = [
  // Signatures and algorithms.
  ['a changed signature', () => [parts()[0], parts()[1], flipped(parts()[2])].join('.'), 'INVALID_TOKEN'],
  ['a cut signature', () => access.slice(0, -4), 'INVALID_TOKEN'],
  ['no signature', () => `${parts()[0]}.${parts()[1]}.`, 'INVALID_TOKEN'],
  [
    'changed claims',
    () => [parts()[0], encode({ ...claims, admin_access: false }), parts()[2]].join('.'),
    'INVALID_TOKEN',
  ],
  [
    'another user under the old signature',
    () => [parts()[0], encode({ ...claims, id: other.id }), parts()[2]].join('.'),
    'INVALID_TOKEN',
  ],
  ['the algorithm none', () => unsigned({ alg: 'none', typ: 'JWT' }), 'INVALID_TOKEN'],
  ['the algorithm None', () => unsigned({ alg: 'None', typ: 'JWT' }), 'INVALID_TOKEN'],
  ['the algorithm NONE, with a signature', () => forge(claims, { alg: 'NONE' }), 'INVALID_TOKEN'],
  ['no algorithm', () => forge(claims, { typ: 'JWT' }), 'INVALID_TOKEN'],
  ['an algorithm that is a list', () => forge(claims, { alg: ['HS256'] }), 'INVALID_TOKEN'],
  ['HS384 with the right key', () => forge(claims, { alg: 'HS384' }, SECRET, 'sha384'), 'INVALID_TOKEN'],
  ['HS512 with the right key', () => forge(claims, { alg: 'HS512' }, SECRET, 'sha512'), 'INVALID_TOKEN'],
  ['HS256 named, HS512 used', () => forge(claims, { alg: 'HS256' }, SECRET, 'sha512'), 'INVALID_TOKEN'],
  ['hs256 in small letters', () => forge(claims, { alg: 'hs256' }), 'INVALID_TOKEN'],
  ['RS256 by a key of its own', () => signedByRsa(claims, { alg: 'RS256' }), 'INVALID_TOKEN'],
  [
    'RS256 with its key in the header',
    () => signedByRsa(claims, { alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) }),
    'INVALID_TOKEN',
  ],
  ['a public key as the secret', () => forge(claims, { alg: 'HS256' }, String(pem)), 'INVALID_TOKEN'],
  ['a wrong key', () => forge(claims, undefined, 'x'.repeat(32)), 'INVALID_TOKEN'],
  ['an empty key', () => forge(claims, undefined, ''), 'INVALID_TOKEN'],
  ['the secret with a space', () => forge(claims, undefined, `${SECRET} `), 'INVALID_TOKEN'],
  [
    'its own key in the header',
    () => forge(claims, { alg: 'HS256', jwk: { kty: 'oct', k: 'eHh4eA' } }, 'xxxx'),
    'INVALID_TOKEN',
  ],
  [
    'a key from elsewhere',
    () => forge(claims, { alg: 'HS256', jku: 'http://127.0.0.1:1/keys' }, 'xxxx'),
    'INVALID_TOKEN',
  ],
  [
    'a header that must be understood and is not',
    () => forge(claims, { alg: 'HS256', crit: ['x'], x: 1 }),
    'INVALID_TOKEN',
  ],
  ['an unencoded payload', () => forge(claims, { alg: 'HS256', crit: ['b64'], b64: false }), 'INVALID_TOKEN'],
  // Key IDs.
  ['a key that is not on the ring', () => forge(claims, { alg: 'HS256', kid: 'nobody' }), 'INVALID_TOKEN'],
  ['an empty name of a key', () => forge(claims, { alg: 'HS256', kid: '' }), 'INVALID_TOKEN'],
  ['a path as name of a key', () => forge(claims, { alg: 'HS256', kid: '../../../dev/null' }, ''), 'INVALID_TOKEN'],
  [
    'a statement as name of a key',
    () => forge(claims, { alg: 'HS256', kid: "' union select 'x" }, 'x'),
    'INVALID_TOKEN',
  ],
  ['a name of a key that is an object', () => forge(claims, { alg: 'HS256', kid: {} }), 'INVALID_TOKEN'],
  ['a name of a key that every object has', () => forge(claims, { alg: 'HS256', kid: 'constructor' }), 'INVALID_TOKEN'],
  ['the previous key without its name', () => forge(claims, undefined, PREVIOUS), 'INVALID_TOKEN'],
  [
    'the name of the current key, signed by the previous',
    () => forge(claims, headerOf(access), PREVIOUS),
    'INVALID_TOKEN',
  ],
  // Times.
  ['no expiry', () => forge(without('exp')), 'INVALID_TOKEN'],
  ['an expiry that is a text', () => forge({ ...claims, exp: String(now() + 900) }), 'INVALID_TOKEN'],
  ['an expiry that is null', () => forge({ ...claims, exp: null }), 'INVALID_TOKEN'],
  ['an expiry in the past', () => forge({ ...claims, exp: now() - 1 }), 'TOKEN_EXPIRED'],
  ['an expiry of now', () => forge({ ...claims, exp: now() }), 'TOKEN_EXPIRED'],
  [
    'an expiry in the past and a wrong key',
    () => forge({ ...claims, exp: now() - 1 }, undefined, 'x'),
    'INVALID_TOKEN',
  ],
  ['no time of issue', () => forge(without('iat')), 'INVALID_TOKEN'],
  ['a time before which it is not good', () => forge({ ...claims, nbf: now() + 900 }), 'INVALID_TOKEN'],
  // Claims.
  ['no role', () => forge(without('role')), 'INVALID_TOKEN'],
  ['no app_access', () => forge(without('app_access')), 'INVALID_TOKEN'],
  ['no admin_access', () => forge(without('admin_access')), 'INVALID_TOKEN'],
  ['admin_access that is a text', () => forge({ ...claims, admin_access: 'true' }), 'INVALID_TOKEN'],
  ['a role that is no UUID', () => forge({ ...claims, role: 'admin' }), 'INVALID_TOKEN'],
  ['no user', () => forge(without('id')), 'INVALID_TOKEN'],
  ['a user that is no UUID', () => forge({ ...claims, id: '1' }), 'INVALID_TOKEN'],
  ['a user that is a list', () => forge({ ...claims, id: [person.id] }), 'INVALID_TOKEN'],
  ['a session that is a number', () => forge({ ...claims, session: 1 }), 'INVALID_TOKEN'],
  ['a session that is null', () => forge({ ...claims, session: null }), 'INVALID_TOKEN'],
  ['an audience', () => forge({ ...claims, aud: 'somebody' }), 'INVALID_TOKEN'],
  ['a share', () => forge({ ...claims, share: randomUUID() }), 'INVALID_TOKEN'],
  ['the scope of a reset, and every claim', () => forge({ ...claims, scope: 'password-reset' }), 'INVALID_TOKEN'],
  [
    'what a reset has',
    () => forge({ email: person.email, scope: 'password-reset', hash: 'x', iss: 'tain', iat: now(), exp: now() + 900 }),
    'INVALID_TOKEN',
  ],
  [
    'what an invitation has',
    () => forge({ email: person.email, scope: 'invite', iss: 'tain', iat: now(), exp: now() + 900 }),
    'INVALID_TOKEN',
  ],
  [
    'what a registration has',
    () => forge({ email: person.email, scope: 'pending-registration', iss: 'tain', iat: now(), exp: now() + 900 }),
    'INVALID_TOKEN',
  ],
  // Valid tokens without a valid user or session.
  ['a user that does not exist', () => forge({ ...claims, id: randomUUID() }), 'INVALID_CREDENTIALS'],
  ['a user who is suspended', () => forge({ ...without('key'), id: other.id }), 'INVALID_CREDENTIALS'],
  ['a session that does not exist', () => forge({ ...claims, session: 'x'.repeat(64) }), 'INVALID_CREDENTIALS'],
  ['another password', () => forge({ ...claims, key: '0'.repeat(16) }), 'INVALID_CREDENTIALS'],
  // Tokens of another issuer or in another format.
  ['another issuer', () => forge({ ...claims, iss: 'directus' }), 'INVALID_CREDENTIALS'],
  ['an issuer that is a list', () => forge({ ...claims, iss: ['tain'] }), 'INVALID_CREDENTIALS'],
  ['no issuer', () => forge(without('iss')), 'INVALID_CREDENTIALS'],
  ['two parts', () => access.split('.').slice(0, 2).join('.'), 'INVALID_CREDENTIALS'],
  ['four parts', () => `${access}.x`, 'INVALID_CREDENTIALS'],
  ['five parts', () => `${access}.x.x`, 'INVALID_CREDENTIALS'],
  ['claims that are no object', () => `${encode({ alg: 'HS256' })}.${encode([1])}.x`, 'INVALID_CREDENTIALS'],
  ['claims that are no JSON', () => `${encode({ alg: 'HS256' })}.bm8.x`, 'INVALID_CREDENTIALS'],
  ['any text', () => 'not-a-known-token', 'INVALID_CREDENTIALS'],
  ['the hash of a static token', () => 'x'.repeat(64), 'INVALID_CREDENTIALS'],
  ['more text than any token has', () => 'x'.repeat(9000), 'INVALID_CREDENTIALS'],
]

describe('a token with', () => {
  test('nothing wrong is good, also when it names no key, as other programs sign it', async () => {
    expect((await tags(access)).status).toBe(200)
    expect((await tags(forge(claims))).status).toBe(200)
  })

  test.each(bad)('%s', async (_, make, code) => {
    const answer = await tags(make())
    expect([answer.status, codeOf(answer)]).toEqual([code === 'INVALID_TOKEN' ? 403 : 401, code])
  })

  test('the same in the address or in a cookie is refused in the same words', async () => {
    const token = forge(claims, undefined, 'x')
    const inAddress = await service.get(`/items/tags?access_token=${token}`, { token: null })
    const inCookie = await service.get('/items/tags', {
      token: null,
      headers: { cookie: `service_session_token=${token}` },
    })
    expect([codeOf(inAddress), codeOf(inCookie)]).toEqual(['INVALID_TOKEN', 'INVALID_TOKEN'])
  })
})

describe('a token for one purpose', () => {
  test('is none for another', async () => {
    const good = { iss: 'tain', iat: now(), exp: now() + 900, email: person.email }
    const password = 'another-password'
    for (const token of [
      access,
      forge({ ...good, scope: 'invite' }),
      forge({ ...good, scope: 'pending-registration' }),
    ])
      expect((await post(service, '/auth/password/reset', { token, password })).status).toBe(403)
    for (const token of [access, forge({ ...good, scope: 'password-reset', hash: 'x' })])
      expect((await post(service, '/users/invite/accept', { token, password })).status).toBe(403)
    expect((await login(service, person)).status).toBe(200)
  })

  test('that is no token at all is INVALID_TOKEN, and one that has expired TOKEN_EXPIRED', async () => {
    const old = forge({ iss: 'tain', iat: 1, exp: 2, email: person.email, scope: 'password-reset' })
    for (const path of ['/auth/password/reset', '/users/invite/accept']) {
      expect(codeOf(await post(service, path, { token: 'nonsense', password: 'x' }))).toBe('INVALID_TOKEN')
      expect(codeOf(await post(service, path, { token: old, password: 'x' }))).toBe('TOKEN_EXPIRED')
    }
  })
})

describe('another SECRET', () => {
  test('keeps what the previous one signed while that is named, and no longer', async () => {
    const cookie = cookieHeader(await login(service, person, { mode: 'session' }))
    const environment = { DATABASE_URL: database.url, LOGIN_STALL_TIME: '0', SECRET: NEXT }
    const rotated = await openService({ ...environment, SECRET_PREVIOUS: SECRET })
    expect((await tags(access, rotated)).status).toBe(200)
    expect((await rotated.get('/items/tags', { token: null, headers: { cookie } })).status).toBe(200)
    const fresh = (await tokensOf(rotated, person)).access_token
    expect(headerOf(fresh)['kid']).not.toBe(headerOf(access)['kid'])
    expect(codeOf(await tags(fresh))).toBe('INVALID_TOKEN')
    await rotated.stop()
    const retired = await openService(environment)
    expect(codeOf(await tags(access, retired))).toBe('INVALID_TOKEN')
    expect((await tags(fresh, retired)).status).toBe(200)
    await retired.stop()
  })

  test('an access token ends when it says so, also for a service that has seen it before', async () => {
    const token = forge({ ...claims, exp: now() + 4 })
    expect((await tags(token)).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 4100))
    expect(codeOf(await tags(token))).toBe('TOKEN_EXPIRED')
  })
})

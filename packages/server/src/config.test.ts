import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, settings } from './config.ts'

const DATABASE_URL = 'postgres://user@host/database'
const read = (environment: Record<string, string> = {}) => readConfig({ DATABASE_URL, ...environment })

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').slice(1)
    throw error
  }
  return []
}

describe('settings', () => {
  test('only the database has to be named; the rest have defaults', () => {
    expect(read()).toMatchObject({ databaseUrl: DATABASE_URL, host: '127.0.0.1', port: 8055, isReadOnly: false })
    expect(Object.keys(read())).toEqual([...Object.keys(settings), 'storages', 'misspelt'])
    expect(Object.isFrozen(read())).toBe(true)
  })

  test('all problems are told at once, each with the name and what it is for', () => {
    const problems = problemsOf({ PORT: 'http', READ_ONLY: 'maybe', MAX_PAYLOAD_SIZE: 'big', SECRET: 'short' })
    expect(problems).toHaveLength(5)
    for (const name of ['DATABASE_URL', 'PORT', 'READ_ONLY', 'MAX_PAYLOAD_SIZE', 'SECRET'])
      expect(problems.filter((problem) => problem.trim().startsWith(`${name} `))).toHaveLength(1)
    expect(problems[0]).toBe('  DATABASE_URL is not set: the database to serve')
  })

  test('no value is repeated, because it may be a secret', () => {
    expect(problemsOf({ DATABASE_URL: 'oracle://u:hunter2@h', SECRET: 'hunter3' }).join(' ')).not.toContain('hunter')
  })

  test('an empty value is no value, and space around one does not count', () => {
    expect(read({ PORT: '', HOST: ' 0.0.0.0 ' })).toMatchObject({ port: 8055, host: '0.0.0.0' })
  })
})

describe('kinds of values', () => {
  test.each([
    ['1024', 1024],
    ['10b', 10],
    ['512kb', 524_288],
    ['1mb', 1_048_576],
    ['1.5 MB', 1_572_864],
    ['2GB', 2_147_483_648],
  ])('the size %s', (value, bytes) => {
    expect(read({ MAX_PAYLOAD_SIZE: value }).payloadSize).toBe(bytes)
  })

  test.each(['-1', 'mb', '1tb', '1,5mb'])('%s is no size', (value) => {
    expect(problemsOf({ DATABASE_URL, MAX_PAYLOAD_SIZE: value })).toMatchObject([/has to be a size/u])
  })

  test.each([
    ['true', true],
    ['1', true],
    ['YES', true],
    ['on', true],
    ['false', false],
    ['0', false],
    ['no', false],
    ['OFF', false],
  ])('the flag %s', (value, flag) => {
    expect(read({ READ_ONLY: value }).isReadOnly).toBe(flag)
  })

  test.each(['70000', '-1', '80.5', 'eighty', 'NaN', 'Infinity'])('%s is no port', (value) => {
    expect(problemsOf({ DATABASE_URL, PORT: value })).toMatchObject([/has to be a whole number from 0 to 65535/u])
  })

  test('a largest limit, or none', () => {
    expect(read({ QUERY_LIMIT_MAX: '500' }).limitMax).toBe(500)
    for (const none of ['-1', 'Infinity']) expect(read({ QUERY_LIMIT_MAX: none }).limitMax).toBeNull()
    expect(problemsOf({ DATABASE_URL, QUERY_LIMIT_MAX: '0' })).toHaveLength(1)
  })

  test('lists of names', () => {
    expect(read({ DB_SCHEMAS: 'public, shop ,,' }).schemas).toEqual(['public', 'shop'])
    expect(read().schemas).toBeNull()
  })

  test('a word out of a few', () => {
    expect(read({ LOG_LEVEL: 'debug' }).logLevel).toBe('debug')
    expect(problemsOf({ DATABASE_URL, LOG_LEVEL: 'loud' })).toMatchObject([/has to be one of fatal, error/u])
  })

  test('a flag with a third choice names all three', () => {
    expect(problemsOf({ DATABASE_URL, EVENTS_ENABLED: 'maybe' })).toMatchObject([/has to be true, false or auto/u])
  })

  test.each(['oracle://h/d', 'localhost/d', 'postgres://u:p#w@h/d'])(
    '%s is no address of a database we serve',
    (url) => {
      expect(problemsOf({ DATABASE_URL: url })).toHaveLength(1)
    },
  )

  test('limits are counted in Redis only if there is one', () => {
    expect(problemsOf({ DATABASE_URL, RATE_LIMITER_STORE: 'redis' })).toMatchObject([/REDIS_URL has to name/u])
    expect(problemsOf({ DATABASE_URL, RATE_LIMITER_STORE: 'redis', REDIS_URL: 'redis://h' })).toEqual([])
  })

  test('cookies for everybody are refused', () => {
    const environment = { DATABASE_URL, CORS_ORIGIN: '*', CORS_CREDENTIALS: 'true' }
    expect(problemsOf(environment)).toMatchObject([/CORS_CREDENTIALS needs origins by name/u])
  })
})

describe('settings about signing in', () => {
  const SECRET = 's'.repeat(32)

  test.each([
    ['1500', 1500],
    ['250ms', 250],
    ['10s', 10_000],
    ['15m', 900_000],
    ['1.5 H', 5_400_000],
    ['7d', 604_800_000],
  ])('the time %s', (value, milliseconds) => {
    expect(read({ ACCESS_TOKEN_TTL: value }).accessTokenTtl).toBe(milliseconds)
  })

  test.each(['-1', 'soon', '1w', 'm'])('%s is no time', (value) => {
    expect(problemsOf({ DATABASE_URL, ACCESS_TOKEN_TTL: value })).toMatchObject([/has to be a time/u])
  })

  test('an address of our own, without the slash at its end', () => {
    expect(read({ PUBLIC_URL: 'https://example.com/api/' }).publicUrl).toBe('https://example.com/api')
    for (const value of ['/', 'example.com', 'ftp://example.com'])
      expect(problemsOf({ DATABASE_URL, PUBLIC_URL: value })).toHaveLength(1)
  })

  test('proxies: none, all, so many, or these', () => {
    expect(
      ['false', 'true', '2', '10.0.0.0/8, 127.0.0.1'].map((value) => read({ IP_TRUST_PROXY: value }).trustProxy),
    ).toEqual([false, true, 2, ['10.0.0.0/8', '127.0.0.1']])
  })

  test('production needs a secret, unless nobody can sign in', () => {
    expect(problemsOf({ DATABASE_URL, NODE_ENV: 'production' })).toMatchObject([/SECRET is not set/u])
    expect(read({ NODE_ENV: 'production', SECRET }).secret).toBe(SECRET)
    expect(read({ NODE_ENV: 'production', READ_ONLY: 'true' }).secret).toBeNull()
    const short = { DATABASE_URL, NODE_ENV: 'production', SECRET: 'short' }
    expect(problemsOf(short)).toMatchObject([/^SECRET has to have at least 32/u])
    expect(problemsOf({ DATABASE_URL, SECRET_PREVIOUS: 'short' })).toMatchObject([/SECRET_PREVIOUS has to have/u])
  })

  test('a cookie with SameSite=None requires https', () => {
    const environment = { DATABASE_URL, SESSION_COOKIE_SAME_SITE: 'None', SESSION_COOKIE_SECURE: 'false' }
    expect(problemsOf(environment)).toMatchObject([/SESSION_COOKIE_SAME_SITE is none/u])
  })

  test('a value can be in a file, but not in both places', () => {
    const file = fileURLToPath(import.meta.url)
    expect(read({ SECRET_FILE: file }).secret).toBe(readFileSync(file, 'utf8').trim())
    expect(problemsOf({ DATABASE_URL, SECRET, SECRET_FILE: file })).toMatchObject([/are both set/u])
    expect(problemsOf({ DATABASE_URL, SECRET_FILE: '/nowhere' })).toMatchObject([/cannot be read/u])
  })
})

describe('docs/configuration.md', () => {
  const document = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
  const rows = [...document.matchAll(/^\| `([A-Z_]+)` \| (.*) \| (.*) \|$/gmu)].map(([, name, fallback, what]) => ({
    name,
    fallback,
    what,
  }))

  test('lists every setting with its default and meaning, in the order of the table, and none that is gone', () => {
    const expected = Object.values(settings).map(({ name, what, fallback }) => ({
      name,
      fallback: printed(fallback),
      what,
    }))
    expect(rows).toEqual(expected)
  })

  function printed(fallback: unknown): string {
    if (fallback === undefined) return 'required'
    if (fallback === null || (Array.isArray(fallback) && fallback.length === 0)) return 'none'
    return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``
  }
})

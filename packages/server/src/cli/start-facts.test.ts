import { describe, expect, test } from 'vitest'
import { administrator, anonymous, type Actor } from '../access/actor.ts'
import type { AppFacts } from '../app/facts.ts'
import type { Collection } from '../schema/schema.ts'
import { startFacts, type StartCircumstances } from './start-facts.ts'

const collectionOf = (name: string, more: object = {}) =>
  ({
    name,
    kind: 'table',
    key: [{}],
    columns: new Map(),
    foreignKeys: [],
    inferred: new Map(),
    isSystem: false,
    isTransactional: true,
    isReadOnly: false,
    ...more,
  }) as unknown as Collection

const authors = collectionOf('authors')
const articles = collectionOf('articles', { foreignKeys: [{}, {}] })
const recent = collectionOf('recent', { kind: 'view', key: [], isReadOnly: true })
const users = collectionOf('service_users', { isSystem: true, foreignKeys: [{}, {}, {}] })

function factsWith({
  collections = [authors, articles, recent, users],
  schema = {},
  ...more
}: {
  readonly collections?: readonly Collection[]
  readonly schema?: object
} & Partial<Omit<AppFacts, 'schema'>> = {}): AppFacts {
  return {
    product: 'PostgreSQL 15.19',
    refusesWrites: false,
    schema: {
      defaultSchema: 'public',
      collections: new Map(collections.map((one) => [one.name, one])),
      relations: [{ collection: 'articles' }, { collection: 'articles' }, { collection: 'service_users' }],
      hidden: [],
      ...schema,
    } as unknown as AppFacts['schema'],
    systemSchema: 'tain',
    renamed: [],
    unserved: { subject: [], bypassed: [], closedSchemas: [] },
    setupToken: null,
    stranger: anonymous,
    tokenHolder: null,
    ...more,
  }
}

const circumstances: StartCircumstances = {
  version: '0.1.0',
  origin: 'http://127.0.0.1:8055',
  adminUrl: () => null,
  databaseUrl: 'postgres://me:secret@db.example:5432/shop',
  password: 'proposed',
}

const told = (facts: AppFacts, more: Partial<StartCircumstances> = {}) =>
  startFacts(facts, { ...circumstances, ...more })

const reader = (...names: readonly string[]): Actor => ({
  ...anonymous,
  may: (_, { name }) => names.includes(name),
})

test('schemas and rows that the database withholds are awkward, and so are policies that it does not apply', () => {
  const closedSchemas = [{ name: 'billing', relations: 3, fix: 'grant usage' }]
  const { awkward } = startFacts(
    factsWith({ unserved: { subject: ['patient'], bypassed: ['visit'], closedSchemas } }),
    circumstances,
  )
  expect(awkward).toEqual([
    { what: '1 schema not served (no USAGE)', names: ['billing (3)'] },
    { what: '1 table with row level security (rows may be missing)', names: ['patient'] },
    { what: '1 table whose row level security the role bypasses', names: ['visit'] },
  ])
})

test("tables, views and relations are counted without the service's own", () => {
  expect(told(factsWith())).toMatchObject({ tables: 2, views: 1, relations: 2, vendor: 'PostgreSQL 15.19' })
})

test('the database is named without its address, user and password', () => {
  expect(told(factsWith()).database).toBe('shop')
  expect(told(factsWith(), { databaseUrl: 'sqlite:/var/lib/my%zz.db' }).database).toBe('my%zz.db')
  expect(JSON.stringify(told(factsWith()))).not.toContain('secret')
})

test('a server that listens on all addresses is called at this machine', () => {
  expect(told(factsWith(), { origin: 'http://0.0.0.0:80' }).origin).toBe('http://127.0.0.1:80')
  expect(told(factsWith(), { origin: 'http://[::]:80' }).origin).toBe('http://[::1]:80')
})

test('the admin app is named where it is served', () => {
  const adminUrl = (origin: string) => `${origin}/admin/`
  expect(told(factsWith(), { origin: 'http://0.0.0.0:80', adminUrl }).admin).toBe('http://127.0.0.1:80/admin/')
  expect(told(factsWith()).admin).toBeNull()
})

describe('what is awkward', () => {
  test('is listed with what is done about it', () => {
    const collections = [
      collectionOf('log_lines', { key: [], isReadOnly: true }),
      collectionOf('rates', { isReadOnly: true }),
      collectionOf('old', { isTransactional: false }),
      collectionOf('shapes', { columns: new Map([['box', { name: 'box', type: 'unknown' }]]) }),
    ]
    const hidden = [
      { schema: 'public', table: 'salaries', column: null, reason: '' },
      { schema: 'hr', table: 'people', column: 'iban', reason: '' },
    ]
    const renamed = [{ collection: 'order-items', name: 'order_items' }]
    expect(told(factsWith({ collections, schema: { hidden }, renamed })).awkward).toEqual([
      { what: '1 table not served (no SELECT, or the name is taken)', names: ['salaries'] },
      { what: '1 column not served (no SELECT)', names: ['hr.people.iban'] },
      { what: '1 table without a primary key (read-only)', names: ['log_lines'] },
      { what: '1 table that the database role may only read', names: ['rates'] },
      { what: '1 table without transactions (written row by row)', names: ['old'] },
      { what: '1 column of an unknown type (served as text)', names: ['shapes.box'] },
      { what: '1 name changed in GraphQL', names: ['order-items → order_items'] },
    ])
  })

  test('is nothing in an ordinary database, also if the service itself is read-only', () => {
    expect(told(factsWith()).awkward).toEqual([])
    const collections = [collectionOf('articles', { isReadOnly: true })]
    expect(told(factsWith({ collections, systemSchema: null })).awkward).toEqual([])
  })
})

describe('what the service writes', () => {
  test.each([
    ['tain', 'its own tables in the schema "tain"; nothing else until you ask for it'],
    ['public', 'its own tables (service_…); nothing else until you ask for it'],
    [null, 'nothing: the service is read-only'],
  ])('with its tables in %s', (systemSchema, writes) => {
    expect(told(factsWith({ systemSchema })).writes).toBe(writes)
  })
})

describe('the next step', () => {
  test('without an administrator is to create one', () => {
    const { next } = told(factsWith({ setupToken: 'the-token' }))
    expect(next[1]).toMatch(/^curl -i http:\/\/127\.0\.0\.1:8055\/server\/setup /u)
    expect(JSON.parse(/-d '([^']*)'$/u.exec(next[1] ?? '')?.[1] ?? '')).toEqual({
      token: 'the-token',
      admin: { email: 'admin@example.com', password: 'proposed' },
    })
  })

  test('without an administrator is also the page that creates one, where the admin app is served', () => {
    const { next } = told(factsWith({ setupToken: 'the-token' }), { adminUrl: (origin) => `${origin}/admin/` })
    expect(next.slice(0, -2)).toEqual(told(factsWith({ setupToken: 'the-token' })).next)
    expect(next.at(-1)).toBe('http://127.0.0.1:8055/admin/setup?token=the-token')
  })

  test('is to read a table that the public may read', () => {
    const facts = factsWith({ stranger: reader('authors'), tokenHolder: administrator })
    expect(told(facts).next).toEqual([`curl 'http://127.0.0.1:8055/items/authors?limit=3'`])
    expect(told(facts).paths.rest).toBe('/items/authors')
  })

  test('otherwise reads the table with most relations with ADMIN_TOKEN, which is never shown', () => {
    expect(told(factsWith({ tokenHolder: administrator })).next).toEqual([
      `curl -H "Authorization: Bearer $ADMIN_TOKEN" 'http://127.0.0.1:8055/items/articles?limit=3'`,
    ])
  })

  test('otherwise names the login, and a request that works without one', () => {
    const { next } = told(factsWith())
    expect(next[0]).toContain('/auth/login')
    expect(next[1]).toBe('curl http://127.0.0.1:8055/server/ping')
  })

  test('in read-only mode without a token is to set one', () => {
    expect(told(factsWith({ systemSchema: null })).next[0]).toContain('ADMIN_TOKEN')
  })

  test('of an empty database says that it is empty', () => {
    expect(told(factsWith({ collections: [users] })).next[0]).toBe('The database has no tables yet.')
  })

  test('cannot be turned into another command by the name of a table', () => {
    const evil = collectionOf("x'; rm -rf ~; '")
    const { next } = told(factsWith({ collections: [evil], stranger: administrator }))
    expect(next).toEqual([`curl 'http://127.0.0.1:8055/items/x%27%3B%20rm%20-rf%20~%3B%20%27?limit=3'`])
  })
})

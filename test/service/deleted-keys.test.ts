// Keys that a deletion by query answers with: those that the caller may not read in their row are null.
import { once } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { testDialects } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const TABLES = [
  'create table people (ssn varchar(40) not null primary key, title varchar(40), team varchar(20))',
  'create table parts (a integer not null, b varchar(10) not null, title varchar(20), primary key (a, b))',
  'create table counters (id bigint not null primary key, title varchar(20))',
  'create table places (id integer not null primary key, title varchar(20))',
]
const PEOPLE = "insert into people values ('1-1', 'a', 'open'), ('2-2', 'b', 'closed'), ('3-3', 'c', 'open')"
const PARTS = "insert into parts values (1, 'x,y', 'a')"

const grant = (collection: string, fields: readonly string[], more: object = {}) => [
  { collection, action: 'read', fields, ...more },
  { collection, action: 'delete' },
]
const callers = {
  none: [...grant('people', ['title', 'team']), ...grant('parts', ['a', 'title'])],
  some: [
    ...grant('people', ['title', 'team']),
    ...grant('people', ['ssn'], { permissions: { team: { _eq: 'open' } } }),
  ],
  all: ['people', 'parts', 'counters', 'places'].flatMap((name) => grant(name, ['*'])),
}
type Caller = keyof typeof callers
const tokenOf = (caller: Caller) => `token-of-caller-${caller}`

describe.each(testDialects)('keys of deleted rows on %s', (dialect) => {
  const { database, service } = useWorld({
    dialect,
    tables: TABLES,
    environment: { WEBSOCKETS_ENABLED: 'true' },
    prepare: async () => {
      for (const [name, permissions] of Object.entries(callers)) {
        const { id } = dataOf(await service.send('POST', '/policies', { name, permissions })) as { id: string }
        const user = { email: `${name}@example.com`, token: tokenOf(name as Caller), policies: [{ policy: id }] }
        dataOf(await service.send('POST', '/users', user))
      }
    },
  })

  beforeEach(async () => {
    for (const statement of ['delete from people', 'delete from parts', PEOPLE, PARTS]) await database.query(statement)
  })

  const bySocket = async (caller: Caller, collection: string, members: object): Promise<unknown> => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/websocket?access_token=${tokenOf(caller)}`)
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'items', action: 'delete', collection, ...members }))
    const [answer] = (await once(socket, 'message')) as [Buffer]
    socket.close()
    return (JSON.parse(answer.toString()) as { data?: unknown }).data
  }
  const byGraphql = async (caller: Caller, collection: string, selection: string): Promise<unknown> => {
    const query = `mutation { deleted: delete_${collection}_by_query(${selection}, sort: ["title"]) { ids } }`
    const { deleted } = dataOf(await service.send('POST', '/graphql', { query }, { token: tokenOf(caller) })) as {
      deleted: { ids: unknown }
    }
    return deleted.ids
  }
  const left = async () => (await database.query('select ssn from people order by ssn')).flat()

  test.each([
    ['all', ['1-1', '2-2', '3-3']],
    ['some', ['1-1', null, '3-3']],
    ['none', [null, null, null]],
  ] as const)('who reads the key of %s rows is told these', async (caller, keys) => {
    expect(await bySocket(caller, 'people', { all: true, query: { sort: ['title'] } })).toEqual(keys)
    expect(await left()).toEqual([])
    await database.query(PEOPLE)
    expect(await byGraphql(caller, 'people', 'all: true')).toEqual(keys)
    expect(await left()).toEqual([])
  })

  test('a filter, a search and a limit make no difference', async () => {
    const query = { filter: { title: { _in: ['b', 'c'] } }, sort: ['title'], limit: 1 }
    expect(await bySocket('some', 'people', { query })).toEqual([null])
    expect(await byGraphql('some', 'people', 'filter: {title: {_neq: "z"}}, limit: 1')).toEqual(['1-1'])
    expect(await left()).toEqual(['3-3'])
  })

  test('a key of several fields is told if all of them may be read', async () => {
    const query = { filter: { title: { _eq: 'a' } } }
    expect(await bySocket('none', 'parts', { query })).toEqual([null])
    await database.query(PARTS)
    expect(await bySocket('all', 'parts', { query })).toEqual(['1,x%2Cy'])
    await database.query(PARTS)
    expect(await byGraphql('none', 'parts', 'filter: {title: {_eq: "a"}}')).toEqual([null])
    await database.query(PARTS)
    expect(await byGraphql('all', 'parts', 'filter: {title: {_eq: "a"}}')).toEqual(['1,x%2Cy'])
  })

  test('numbers have the form of responses, and are texts in GraphQL', async () => {
    for (const [table, key, shown] of [
      ['counters', '9007199254740993', '9007199254740993'],
      ['places', '7', 7],
    ] as const) {
      const insert = `insert into ${table} values (${key}, 'a')`
      await database.query(insert)
      expect(await bySocket('all', table, { all: true })).toEqual([shown])
      await database.query(insert)
      expect(await byGraphql('all', table, 'all: true')).toEqual([key])
    }
  })

  test('keys that the caller sends are repeated', async () => {
    expect(await bySocket('none', 'people', { ids: ['1-1', '2-2'] })).toEqual(['1-1', '2-2'])
    expect(await left()).toEqual(['3-3'])
  })
})

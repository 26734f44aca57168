// Columns whose names contain characters that have a meaning in paths.
import { writtenName } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../lib/command.ts'
import { testDialects } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const names = ['no.', 'a.b', 'c,d', 'e:f', 'g(h)', 'count(i)', '-rank', '*', String.raw`back\slash`] as const
const row = (first: number) => Object.fromEntries(names.map((name, index) => [name, first + index]))
const written = names.map(writtenName)

describe.each(testDialects)('columns with odd names on %s', (dialect) => {
  const quote = dialect === 'mysql' ? '`' : '"'
  const quoted = (name: string) => `${quote}${name}${quote}`

  const { database, service } = useWorld({
    dialect,
    tables: async (database) => {
      const columns = names.map((name, index) => `${quoted(name)} int${index === 0 ? ' primary key' : ''}`)
      await database.query(`create table city (${columns.join(', ')})`)
      for (const first of [10, 20])
        await database.query(`insert into city values (${Object.values(row(first)).join(', ')})`)
    },
  })

  test('are selected, sorted, grouped and aggregated by paths with backslashes', async () => {
    const search = async (query: object) => dataOf(await service.send('SEARCH', '/items/city', { query }))
    expect(await search({})).toEqual([row(10), row(20)])
    for (const name of names) {
      const path = writtenName(name)
      expect(await search({ fields: [path], sort: [`-${path}`] })).toEqual([
        { [name]: row(20)[name] },
        { [name]: row(10)[name] },
      ])
      expect(await search({ groupBy: [path], aggregate: { max: [path] }, sort: [path], limit: 1 })).toEqual([
        { [name]: row(10)[name], max: { [name]: row(10)[name] } },
      ])
      expect(await search({ fields: ['short'], alias: { short: path }, limit: 1 })).toEqual([{ short: row(10)[name] }])
    }
    const query = new URLSearchParams({ fields: written.join(','), sort: String.raw`-no\.`, limit: '1' })
    expect(dataOf(await service.get(`/items/city?${query.toString()}`))).toEqual([row(20)])
  })

  test('are plain names in filters and payloads', async () => {
    // A filter reads a name with the form of a function as the function.
    for (const name of names.filter((each) => each !== 'count(i)'))
      expect(
        dataOf(await service.send('SEARCH', '/items/city', { query: { filter: { [name]: { _eq: row(20)[name] } } } })),
      ).toEqual([row(20)])
    expect(dataOf(await service.send('POST', '/items/city', row(30)))).toEqual(row(30))
    expect((await service.send('DELETE', '/items/city/30')).status).toBe(204)
  })

  test('a refusal says how a path writes them', async () => {
    for (const [path, name] of [
      ['a.b', 'a.b'],
      ['g(h)', 'g(h)'],
      ['c,d', 'c,d'],
      ['e:f', 'e:f'],
    ] as const) {
      const { text } = await service.send('SEARCH', '/items/city', { query: { fields: [path] } })
      expect([path, JSON.parse(text)]).toMatchObject([
        path,
        { errors: [{ message: expect.stringContaining(writtenName(name)) as string }] },
      ])
    }
  })

  test('are exported, and previews of permissions name rows by them', async () => {
    const { out, error } = await runCommand(['export', 'city'], { environment: { DATABASE_URL: database.url } })
    expect([JSON.parse(out), error]).toEqual([[row(10), row(20)], 'city: 2\n'])
    const permissions = [{ collection: 'city', action: 'read', fields: ['*'], permissions: { 'no.': { _eq: 10 } } }]
    const { id } = dataOf(await service.send('POST', '/policies', { name: 'reader', permissions })) as { id: string }
    const user = { token: 'a-reader-of-cities', policies: [{ policy: id }] }
    const { id: reader } = dataOf(await service.send('POST', '/users', user)) as { id: string }
    expect(dataOf(await service.get('/items/city?fields=*', { token: user.token }))).toEqual([row(10)])
    const change = {
      policy: id,
      collection: 'city',
      action: 'read',
      fields: ['*'],
      permissions: { 'no.': { _eq: 20 } },
    }
    const question = { user: reader, collection: 'city', action: 'read', changes: [change] }
    expect(dataOf(await service.send('POST', '/permissions/preview', question))).toMatchObject({
      gained: [{ 'no.': 20 }],
    })
  })
})

import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** Long texts of different lengths: a database that keeps rows on disk meanwhile puts them where there is room. */
const rows = Array.from({ length: 300 }, (_, id) => ({
  id,
  kind: id % 7,
  body: 'x'.repeat((id * 7919) % 900),
  note: 'y'.repeat((id * 104_729) % 3000),
  parent: id === 0 ? null : Math.floor(id / 2),
}))

describe.each(testDialects)('long rows on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: `create table words (id integer primary key, kind integer, body text, note text,
      parent integer references words (id))`,
    environment: { QUERY_LIMIT_DEFAULT: '100' },
    prepare: async () => {
      for (let from = 0; from < rows.length; from += 100) {
        dataOf(await service.send('POST', '/items/words?fields=id', rows.slice(from, from + 100)))
      }
    },
  })

  const idsOf = async (query: string): Promise<readonly number[]> =>
    (dataOf(await service.get(`/items/words?limit=-1&${query}`)) as { id: number }[]).map(({ id }) => id)
  const sorted = (compare: (a: (typeof rows)[number], b: (typeof rows)[number]) => number) =>
    rows.toSorted(compare).map(({ id }) => id)

  test.each([
    ['by their key', 'fields=*', (a: { id: number }, b: { id: number }) => a.id - b.id],
    ['backwards', 'fields=*&sort=-id', (a: { id: number }, b: { id: number }) => b.id - a.id],
    [
      'by a value, then their key',
      'fields=*&sort=-kind',
      (a: { id: number; kind: number }, b: { id: number; kind: number }) => b.kind - a.kind || a.id - b.id,
    ],
    ['with nested rows', 'fields=*,parent.*&sort=-id', (a: { id: number }, b: { id: number }) => b.id - a.id],
  ])('come %s', async (_, query, compare) => {
    expect(await idsOf(query)).toEqual(sorted(compare))
  })

  test('come page by page, and in exports', async () => {
    const pages: number[] = []
    for (let page = 1; page <= 3; page += 1)
      pages.push(
        ...(dataOf(await service.get(`/items/words?limit=100&page=${page}&sort=-id`)) as { id: number }[]).map(
          ({ id }) => id,
        ),
      )
    expect(pages).toEqual(sorted((a, b) => b.id - a.id))
    const { text } = await service.get('/items/words?limit=-1&sort=-id&export=csv&fields=id,body,note')
    const ids = text
      .split('\n')
      .slice(1)
      .filter(Boolean)
      .map((line) => Number(line.split(',')[0]?.replaceAll('"', '')))
    expect(ids).toEqual(sorted((a, b) => b.id - a.id))
  })

  test('come in the order of their groups', async () => {
    const groups = dataOf(
      await service.get('/items/words?groupBy[]=body&aggregate[max]=note&aggregate[count]=id&sort=-body&limit=-1'),
    ) as {
      body: string
    }[]
    const lengths = groups.map(({ body }) => body.length)
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a))
  })
})

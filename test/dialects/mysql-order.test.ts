import { describe, expect, test } from 'vitest'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** Types whose sort order in MariaDB differs from their comparison order. */
describe('order of MariaDB types', () => {
  const { service } = useWorld({
    dialect: 'mysql',
    tables: `
      set sql_mode = '';
      create table t (id int primary key, flag bit(1), bits bit(8), letters set('x', 'y', 'z'), label enum('b', 'a'));
      insert into t values (1, b'1', b'10', 'x,z', 'a'), (2, b'0', b'0', '', ''), (3, null, null, null, null),
        (4, b'1', b'1', 'y', 'b'), (5, b'0', b'11111111', 'z', 'a'), (6, b'1', b'10', 'x', 'b')`,
  })

  const walk = async (sort: string) => {
    const ids: number[] = []
    let cursor: unknown
    do {
      const query = { fields: ['id'], sort: [sort], limit: 2, meta: ['cursor'], ...(cursor ? { cursor } : {}) }
      const answer = await service.search('t', query)
      ids.push(...(dataOf(answer) as { id: number }[]).map(({ id }) => id))
      cursor = (answer.body as { meta: { next_cursor: unknown } }).meta.next_cursor
    } while (cursor !== null && ids.length < 20)
    return ids
  }

  test.each([
    ['flag', [2, 5, 1, 4, 6, 3]],
    ['bits', [2, 4, 1, 6, 5, 3]],
    ['letters', [2, 6, 1, 4, 5, 3]],
    // A value that is not a label comes before all labels, as the server sorts it.
    ['label', [2, 4, 6, 1, 5, 3]],
  ])('a walk with cursors along %s gives every row once', async (field, ids) => {
    expect(await walk(field)).toEqual(ids)
    const descending = (await walk(`-${field}`)).toSorted((a, b) => a - b)
    expect(descending).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('groups of labels have the empty one that a lax server stores', async () => {
    const groups = dataOf(await service.search('t', { groupBy: ['label'], aggregate: { count: ['*'] } }))
    expect(groups).toEqual([
      { label: '', count: '1' },
      { label: 'b', count: '2' },
      { label: 'a', count: '2' },
      { label: null, count: '1' },
    ])
  })
})

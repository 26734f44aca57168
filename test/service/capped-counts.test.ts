import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, queryOf } from '../lib/service.ts'
import { createUser, useWorld } from '../lib/world.ts'

describe.each(testDialects)('count_up_to on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      await database.query('create table books (id int not null primary key, shelf int not null)')
      const rows = Array.from({ length: 50 }, (_, n) => `(${n}, ${n % 5})`)
      await database.query(`insert into books values ${rows.join(', ')}`)
    },
    prepare: async () => {
      const permissions = [{ collection: 'books', action: 'read', fields: ['*'], permissions: { shelf: { _lt: 2 } } }]
      await createUser(service, permissions, 'token-of-a-reader')
    },
  })

  const ask = (parameters: Readonly<Record<string, unknown>>, token?: string) =>
    service.get(
      `/items/books?${queryOf({ limit: 1, meta: 'total_count,filter_count', ...parameters })}`,
      token === undefined ? {} : { token },
    )
  const metaOf = async (parameters: Readonly<Record<string, unknown>>, token?: string) =>
    ((await ask(parameters, token)).body as { meta: unknown }).meta
  const filter = JSON.stringify({ shelf: { _eq: 1 } })

  test.each([
    [100, { total_count: 50, filter_count: 10, capped_counts: [] }],
    [50, { total_count: 50, filter_count: 10, capped_counts: [] }],
    [49, { total_count: 49, filter_count: 10, capped_counts: ['total_count'] }],
    [9, { total_count: 9, filter_count: 9, capped_counts: ['total_count', 'filter_count'] }],
    [1, { total_count: 1, filter_count: 1, capped_counts: ['total_count', 'filter_count'] }],
  ])('of %i', async (most, meta) => {
    expect(await metaOf({ filter, count_up_to: most })).toEqual(meta)
  })

  test('counts only what the caller may see', async () => {
    const counts = await metaOf({ count_up_to: 20 }, 'token-of-a-reader')
    expect(counts).toEqual({ total_count: 20, filter_count: 20, capped_counts: [] })
    const fewer = await metaOf({ count_up_to: 19 }, 'token-of-a-reader')
    expect(fewer).toEqual({ total_count: 19, filter_count: 19, capped_counts: ['total_count', 'filter_count'] })
  })

  test.runIf(dialect !== 'sqlite')('leaves estimates alone', async () => {
    for (const given of [{}, { filter }]) {
      const estimate = ((await metaOf({ meta: 'estimated_count', ...given })) as { estimated_count: number })
        .estimated_count
      const meta = await metaOf({ meta: 'estimated_count', count_up_to: 3, ...given })
      expect(meta).toEqual({ estimated_count: estimate, capped_counts: [] })
    }
  })

  test('ends a count that stands for an estimate', async () => {
    const meta = { estimated_count: 3, capped_counts: ['estimated_count'] }
    expect(await metaOf({ meta: 'estimated_count', count_up_to: 3 }, 'token-of-a-reader')).toEqual(meta)
    expect(await metaOf({ meta: 'estimated_count', count_up_to: 3, filter }, 'token-of-a-reader')).toEqual(meta)
  })

  test.each(['0', '-1', 'x', '1.5'])('is not %s', async (most) => {
    expect(codeOf(await ask({ count_up_to: most }))).toBe('INVALID_QUERY')
  })
})

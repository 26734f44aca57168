import { expect, test } from 'vitest'
import { planEstimate } from './plan-estimate.ts'

test.each<[string, object, number]>([
  ['MariaDB, one table', { nested_loop: [{ table: { access_type: 'range', rows: 4000, filtered: 25 } }] }, 1000],
  ['MariaDB before 10.11', { table: { access_type: 'ALL', rows: 500, filtered: 100 } }, 500],
  ['MySQL', { table: { access_type: 'ref', rows_examined_per_scan: 300, filtered: '10.00' } }, 30],
  ['nothing to read', { table: { message: 'Impossible WHERE' } }, 0],
  ['no table at all', { message: 'No matching rows' }, 0],
  [
    'a related row that has to exist',
    {
      nested_loop: [{ table: { rows: 200, filtered: 100 } }, { table: { rows: 7, filtered: 100, first_match: 't1' } }],
    },
    200,
  ],
  [
    'a list of related rows',
    {
      nested_loop: [
        { table: { rows: 200, filtered: 50 } },
        { table: { rows: 1, materialized: { table: { rows: 9 } } } },
      ],
      subqueries: [{ query_block: { table: { rows: 9 } } }],
    },
    100,
  ],
])('%s', (_, query_block, rows) => {
  expect(planEstimate.read([[JSON.stringify({ query_block })]])).toBe(rows)
})

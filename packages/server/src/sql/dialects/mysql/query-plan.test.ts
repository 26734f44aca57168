import { expect, test } from 'vitest'
import { queryPlan } from './query-plan.ts'

const costOf = (plan: object) => queryPlan.cost?.(queryPlan.read([[JSON.stringify(plan)]]))

const table = (rows: number, filtered = 100) => ({ table: { table_name: 't', rows, filtered } })

test('a scan costs the rows of the table', () => {
  expect(costOf({ query_block: { nested_loop: [table(3000, 10)] } })).toBe(3000)
})

test('a join reads the second table for each row that the first one leaves', () => {
  expect(costOf({ query_block: { nested_loop: [table(100, 50), table(20)] } })).toBe(100 + 50 * 20)
})

test('derived tables and sub-selects count once, at any depth', () => {
  const derived = { query_block: { nested_loop: [table(500)], subqueries: [{ query_block: table(70) }] } }
  const plan = {
    query_block: {
      nested_loop: [table(1), { 'block-nl-join': { ...table(2), materialized: derived } }],
      subqueries: [{ query_block: { nested_loop: [table(30)] } }],
    },
  }
  expect(costOf(plan)).toBe(1 + 2 + 500 + 70 + 30)
})

test('MySQL names rows in another way', () => {
  expect(costOf({ query_block: { table: { rows_examined_per_scan: 40, filtered: '25.00' } } })).toBe(40)
})

test('a plan without tables costs nothing', () => {
  expect(costOf({ query_block: { message: 'Impossible WHERE' } })).toBe(0)
})

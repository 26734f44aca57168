import type { QueryPlan } from '../../dialect.ts'
import { besides, factorOf, isNode, rowsOf, tablesIn } from './plan-estimate.ts'

/** The sub-selects of a plan and what it stores in between. */
const partsBeside = (plan: unknown): readonly unknown[] =>
  isNode(plan) ? Object.entries(plan).flatMap(([name, part]) => (besides.test(name) ? [part] : partsBeside(part))) : []

/**
 * Rows that a plan reads. A sub-select counts once, however often it runs: that depends on LIMIT, which plans do not
 * tell.
 */
function rowsRead(plan: unknown): number {
  let before = 1
  let read = 0
  for (const table of tablesIn(plan)) {
    read += before * rowsOf(table)
    before *= factorOf(table)
  }
  return read + partsBeside(plan).reduce<number>((sum, part) => sum + rowsRead(part), 0)
}

export const queryPlan: QueryPlan = {
  explain: ({ text, values }) => ({ text: `explain format=json ${text}`, values }),
  read: ([row]) => JSON.parse(row?.[0] ?? 'null') as unknown,
  cost: rowsRead,
}

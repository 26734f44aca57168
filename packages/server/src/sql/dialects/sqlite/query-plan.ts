import type { QueryPlan } from '../../dialect.ts'

export const queryPlan: QueryPlan = {
  explain: ({ text, values }) => ({ text: `explain query plan ${text}`, values }),
  read: (rows) => rows.map(([id, parent, , detail]) => ({ id: Number(id), parent: Number(parent), detail })),
  // Plans have no numbers.
  cost: null,
}

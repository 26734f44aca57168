import type { QueryPlan } from '../../dialect.ts'

export const queryPlan: QueryPlan = {
  explain: ({ text, values }) => ({ text: `explain (format json) ${text}`, values }),
  read: ([row]) => JSON.parse(row?.[0] ?? 'null') as unknown,
}

import type { QueryPlan } from '../../dialect.ts'

export const queryPlan: QueryPlan = {
  explain: ({ text, values }) => ({ text: `explain (format json) ${text}`, values }),
  read: ([row]) => JSON.parse(row?.[0] ?? 'null') as unknown,
  cost: (plan) =>
    (plan as readonly { readonly Plan?: { readonly 'Total Cost'?: number } }[])[0]?.Plan?.['Total Cost'] ?? 0,
}

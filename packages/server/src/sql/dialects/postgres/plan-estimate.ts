import type { PlanEstimate } from '../../dialect.ts'
import { sql } from '../../sql.ts'

export const planEstimate: PlanEstimate = {
  explain: (select) => sql`explain (format json) ${select}`,
  read: ([row]) => {
    const [found] = JSON.parse(row?.[0] ?? '[]') as readonly { readonly Plan?: { readonly 'Plan Rows'?: number } }[]
    return found?.Plan?.['Plan Rows'] ?? 0
  },
  knowsValues: true,
}

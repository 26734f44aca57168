import { asNumber, fail, oneOf, type Rows } from './readers.ts'

/** Cost limits of one query, the same for every protocol. */
export interface CostConfig {
  readonly queryEntries: number
  readonly queryConditions: number
  readonly queryValues: number
  readonly queryNodes: number
  readonly queryJoins: number
  readonly queryRows: number
  /** Most that the plan of a read may cost, in the unit of the database; null: plans are not asked for. */
  readonly planCost: number | null
  /** The same for holders of a policy, by its key. */
  readonly planCosts: ReadonlyMap<string, number> | null
  readonly planCostMode: 'report' | 'refuse'
}

const policyLimit = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})=([1-9]\d*)$/u

const asPolicyLimits = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split(',').map((entry) => {
      const [, policy, limit] = policyLimit.exec(entry.trim().toLowerCase()) ?? []
      if (policy === undefined) return fail('has to be a list of policy=limit with the keys of policies')
      return [policy, Number(limit)] as const
    }),
  )

export const costSettings: Rows<CostConfig> = {
  queryEntries: {
    name: 'MAX_QUERY_ENTRIES',
    fallback: 2000,
    read: asNumber(1),
    what: 'entries in fields, sort, groupBy, aggregate, alias and deep of a query',
  },
  queryConditions: {
    name: 'MAX_QUERY_CONDITIONS',
    fallback: 1000,
    read: asNumber(1),
    what: 'conditions in the filters of a query',
  },
  queryValues: {
    name: 'MAX_QUERY_VALUES',
    fallback: 50_000,
    read: asNumber(1),
    what: 'values in all lists of the filters of a query',
  },
  queryNodes: {
    name: 'MAX_QUERY_NODES',
    fallback: 5000,
    read: asNumber(1),
    what: 'fields in the response to a query, wildcards expanded',
  },
  queryJoins: {
    name: 'MAX_QUERY_JOINS',
    fallback: 1000,
    read: asNumber(1),
    what: 'relations that a query follows, in fields, filters and sort',
  },
  queryRows: {
    name: 'MAX_QUERY_ROWS',
    fallback: 10_000_000_000,
    read: asNumber(1),
    what: 'estimated rows times fields of a response, by its limits; a list without a limit counts as 1000 rows',
  },
  planCost: {
    name: 'QUERY_COST_LIMIT',
    fallback: null,
    read: asNumber(1),
    what: 'most that the plan of a read may cost, for callers who are not administrators; not on SQLite',
  },
  planCosts: {
    name: 'QUERY_COST_LIMITS',
    fallback: null,
    read: asPolicyLimits,
    what: 'QUERY_COST_LIMIT for holders of certain policies: key=limit, separated by commas; of several, the largest counts',
  },
  planCostMode: {
    name: 'QUERY_COST_MODE',
    fallback: 'report',
    read: oneOf('report', 'refuse'),
    what: 'what happens above QUERY_COST_LIMIT: `report` logs and counts, `refuse` answers with 400',
  },
}

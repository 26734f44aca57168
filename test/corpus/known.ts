// Intended differences, each with its reason. A row that no longer occurs fails the run, so the list only shrinks.
import type { Crawl, Difference } from './crawl.ts'

export interface Known {
  readonly databases: readonly string[]
  readonly check: string
  /** Matches the location of the difference. */
  readonly where: RegExp
  readonly what: RegExp
  readonly reason: string
}

export const known: readonly Known[] = [
  {
    databases: ['hand-pg'],
    check: 'filters',
    where: /^order\._eq$/u,
    what: /./u,
    reason: 'In a filter a name that is an operator is the operator; the column can be read, sorted and written.',
  },
  {
    databases: ['hand-maria'],
    check: 'values',
    where: /^v_sum$/u,
    what: /^rows$/u,
    reason:
      'The session divides with more digits (div_precision_increment), and the average of a view is computed in it.',
  },
  {
    databases: ['hand-maria'],
    check: 'aggregates',
    where: /^t_all\.y$/u,
    what: /^min of year/u,
    reason: 'A year 0 is shown as null, also as the least of all.',
  },
  {
    databases: ['sakila-pg'],
    check: 'values',
    where: /^(?:nicer_but_slower_)?film_list$/u,
    what: /^rows$/u,
    reason: 'The views join names without an order of their own; it is that of the plan.',
  },
  {
    databases: ['hand-sqlite'],
    check: 'filters',
    where: /^loose\./u,
    what: /./u,
    reason: 'A value that does not fit the type of its column is shown, but is no operand for it.',
  },
  {
    databases: ['hand-sqlite'],
    check: 'aggregates',
    where: /^loose\./u,
    what: /^(sum|avg) of/u,
    reason: 'A text in a number column is no number, so that there is no sum; SQLite counts it as 0.',
  },
  {
    databases: ['hand-sqlite'],
    check: 'copies',
    where: /^loose$/u,
    what: /./u,
    reason: 'A value that does not fit the type of its column is shown, but is not written.',
  },
  {
    databases: ['hand-sqlite'],
    check: 'patches',
    where: /^loose$/u,
    what: /./u,
    reason: 'A value that does not fit the type of its column is shown, but is not written.',
  },
]

const fits = (row: Known, { database, check, where, what }: Difference): boolean =>
  row.databases.includes(database) && row.check === check && row.where.test(where) && row.what.test(what)

export interface Judged {
  readonly unknown: readonly Difference[]
  readonly expected: readonly Difference[]
  /** Rows that did not occur although their database and check were crawled. */
  readonly stale: readonly { readonly database: string; readonly row: Known }[]
}

export function judge(crawls: readonly Crawl[], rows: readonly Known[] = known): Judged {
  const differences = crawls.flatMap((crawl) => crawl.differences)
  const isExpected = (difference: Difference) => rows.some((row) => fits(row, difference))
  const stale = crawls.flatMap(({ database, tallies, differences: found }) =>
    rows
      .filter((row) => row.databases.includes(database) && tallies.some(({ check }) => check === row.check))
      .filter((row) => !found.some((difference) => fits(row, difference)))
      .map((row) => ({ database, row })),
  )
  return {
    unknown: differences.filter((difference) => !isExpected(difference)),
    expected: differences.filter(isExpected),
    stale,
  }
}

import type { Crawl, Difference } from './crawl.ts'
import type { Judged } from './known.ts'

/** One line per check of a database: comparisons, differences, seconds. */
export function tableOf({ database, tallies, differences, requests }: Crawl): string {
  const rows = tallies.map(({ check, comparisons, seconds }) => {
    const found = differences.filter((difference) => difference.check === check).length
    return `  ${check.padEnd(14)} ${String(comparisons).padStart(8)} ${String(found).padStart(6)} ${seconds.toFixed(1).padStart(8)} s`
  })
  return [`${database}: ${requests} requests`, `  ${'check'.padEnd(14)} compared differ`, ...rows].join('\n')
}

export function textOf({ database, check, where, what, expected, got, curl }: Difference): string {
  const lines = [
    `${database} · ${check} · ${where}: ${what}`,
    ...(expected === undefined ? [] : [`    expected ${expected}`]),
    ...(got === undefined ? [] : [`    got      ${got}`]),
    ...(curl === undefined ? [] : [`    ${curl}`]),
  ]
  return lines.join('\n')
}

export function summaryOf({ unknown, expected, stale }: Judged): string {
  return [
    ...unknown.map(textOf),
    ...stale.map(
      ({ database, row }) => `${database} · ${row.check} · ${row.where}: listed in known.ts, but no longer there`,
    ),
    `${unknown.length} differences, ${expected.length} known, ${stale.length} known ones gone`,
  ].join('\n')
}

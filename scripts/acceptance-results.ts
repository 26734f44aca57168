// Compares a report of the acceptance suite with the checks that a database cannot pass.

export interface CheckResult {
  readonly area: string
  readonly sentence: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly message?: string
}

/** A check that fails for a reason that stays. */
export interface UnableRow {
  readonly area: string
  readonly check: string
}

export interface Comparison {
  readonly passed: number
  /** Rows whose check failed, as they say. */
  readonly unable: readonly UnableRow[]
  /** Failed checks that no row names. */
  readonly unexpected: readonly CheckResult[]
  /** Rows whose check passed, or that name no check of the suite. */
  readonly outdated: readonly UnableRow[]
  /** False if the service did not start or the suite was cut short. */
  readonly complete: boolean
}

/** The suite reports its own problems in this area, and only if there are any. */
export const SUITE = 'Suite'
export const BROKEN = 'the service starts and the suite runs to its end'

const keyOf = (area: string, check: string): string => `${area} » ${check}`

/** Several results may have the same sentence; one failure makes it failed. */
function outcomesOf(results: readonly CheckResult[]): ReadonlyMap<string, CheckResult['outcome']> {
  const outcomes = new Map<string, CheckResult['outcome']>()
  for (const { area, sentence, outcome } of results) {
    const key = keyOf(area, sentence)
    if (outcomes.get(key) !== 'failed') outcomes.set(key, outcome)
  }
  return outcomes
}

export function compare(results: readonly CheckResult[], rows: readonly UnableRow[], partial: boolean): Comparison {
  const outcomes = outcomesOf(results)
  const named = new Set(rows.map(({ area, check }) => keyOf(area, check)))
  const outcomeOf = ({ area, check }: UnableRow) => outcomes.get(keyOf(area, check))
  const ofSuite = results.filter(({ area }) => area === SUITE)
  const complete = results.length > 0 && !ofSuite.some(({ sentence }) => sentence === BROKEN)
  // A test file that crashes loses its checks, so their absence proves nothing.
  const absenceCounts = complete && !partial && !ofSuite.some(({ sentence }) => sentence.startsWith('runs '))
  const isOutdated = (row: UnableRow): boolean => {
    const outcome = outcomeOf(row)
    return outcome === undefined ? absenceCounts : outcome === 'passed'
  }
  return {
    passed: results.filter(({ outcome }) => outcome === 'passed').length,
    unable: rows.filter((row) => outcomeOf(row) === 'failed'),
    unexpected: results.filter(
      ({ area, sentence, outcome }) =>
        outcome === 'failed' && (sentence === BROKEN || !named.has(keyOf(area, sentence))),
    ),
    outdated: rows.filter(isOutdated),
    complete,
  }
}

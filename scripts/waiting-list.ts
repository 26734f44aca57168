// Compares a report of the acceptance suite with the list of checks that wait for unfinished work.

export interface CheckResult {
  readonly area: string
  readonly sentence: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly message?: string
}

export interface WaitingRow {
  readonly area: string
  /** Left out: the whole area waits. Its checks may pass or fail, until none of them fails. */
  readonly check?: string
  /** The work that is needed before the check can pass. */
  readonly needs: string
}

export interface Comparison {
  readonly passed: number
  /** Rows whose check failed as expected. */
  readonly waiting: readonly WaitingRow[]
  /** The rows to keep: those that still wait, and those that this run could not judge. */
  readonly kept: readonly WaitingRow[]
  /** Failed checks that no row names. */
  readonly unexpected: readonly CheckResult[]
  /** Rows whose check passed, or that name no check of the suite. */
  readonly outdated: readonly WaitingRow[]
  /** False if the service did not start or the suite was cut short: the results then say nothing about the list. */
  readonly complete: boolean
}

/** The suite reports its own problems in this area, and only if there are any. */
const SUITE = 'Suite'
const BROKEN = 'the service starts and the suite runs to its end'

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

export function compare(results: readonly CheckResult[], rows: readonly WaitingRow[], partial: boolean): Comparison {
  const outcomes = outcomesOf(results)
  const named = new Set(rows.flatMap(({ area, check }) => (check === undefined ? [] : keyOf(area, check))))
  const waitingAreas = new Set(rows.flatMap(({ area, check }) => (check === undefined ? area : [])))
  const outcomeOf = ({ area, check }: WaitingRow): CheckResult['outcome'] | undefined => {
    if (check !== undefined) return outcomes.get(keyOf(area, check))
    const ofArea = results.filter((result) => result.area === area)
    if (ofArea.length === 0) return undefined
    return ofArea.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'passed'
  }
  const ofSuite = results.filter(({ area }) => area === SUITE)
  const complete = results.length > 0 && !ofSuite.some(({ sentence }) => sentence === BROKEN)
  // A test file that crashes loses its checks, so their absence proves nothing.
  const absenceCounts = complete && !partial && !ofSuite.some(({ sentence }) => sentence.startsWith('runs '))
  const isOutdated = (row: WaitingRow): boolean => {
    const outcome = outcomeOf(row)
    return outcome === undefined ? absenceCounts : outcome === 'passed'
  }
  return {
    passed: results.filter(({ outcome }) => outcome === 'passed').length,
    waiting: rows.filter((row) => outcomeOf(row) === 'failed'),
    kept: rows.filter((row) => !isOutdated(row)),
    unexpected: results.filter(
      ({ area, sentence, outcome }) =>
        outcome === 'failed' && (sentence === BROKEN || !(waitingAreas.has(area) || named.has(keyOf(area, sentence)))),
    ),
    outdated: rows.filter(isOutdated),
    complete,
  }
}

/** The list without outdated rows; with `init` the failed checks that no row names are added. */
export function updated({ kept, unexpected }: Comparison, init: boolean): readonly WaitingRow[] {
  const added = new Map(
    unexpected.map(({ area, sentence }) => [keyOf(area, sentence), { area, check: sentence, needs: '' }]),
  )
  return init ? [...kept, ...added.values()] : kept
}

// Compares a report of the acceptance suite with the list of checks that wait for work still to be done.

export interface CheckResult {
  readonly area: string
  readonly sentence: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly message?: string
}

export interface WaitingRow {
  readonly area: string
  /** Without it the whole area waits; its checks may pass or fail, until none of them fails. */
  readonly check?: string
  /** What has to be built before the check can pass. */
  readonly needs: string
}

export interface Comparison {
  readonly passed: number
  /** Rows whose check failed as expected. */
  readonly waiting: readonly WaitingRow[]
  /** The rows to go on with: those that wait, and those that this run could not judge. */
  readonly kept: readonly WaitingRow[]
  /** Failed checks that no row names. */
  readonly unexpected: readonly CheckResult[]
  /** Rows whose check passed, or that name no check of the suite. */
  readonly outdated: readonly WaitingRow[]
  /** False when the service did not start or the suite broke off: then its results say nothing about the list. */
  readonly complete: boolean
}

/** The suite reports its own troubles in this area, and only when there are some. */
const SUITE = 'Suite'
const BROKEN = 'the service starts and the suite runs to its end'

const keyOf = (area: string, check: string): string => `${area} » ${check}`

/** A sentence may stand on several results; one failure makes it failed. */
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
  // A test file that broke takes its checks with it, so their absence proves nothing.
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

import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { invalidQuery } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { Observe } from '../observe.ts'
import type { Database } from '../sql/database.ts'
import { DatabaseError, type Statement } from '../sql/driver.ts'

/** Throws INVALID_QUERY if the plan of a statement costs too much for the caller and such statements are refused. */
export type PlanGuard = (statement: Statement, caller: Pick<Actor, 'policies'>) => Promise<void>

export interface PlanLimit {
  /** null: only holders of the policies below have a limit. */
  readonly limit: number | null
  /** Limits of policies, which count in place of the general one. */
  readonly byPolicy?: ReadonlyMap<string, number>
  readonly mode: 'report' | 'refuse'
}

interface Known {
  readonly cost: number
  readonly fingerprint: string
  /** Tables grow, so a plan is asked for again after a while. */
  readonly expires: number
}

export interface PlanGuardOptions {
  readonly size?: number
  readonly lifetime?: number
  readonly now?: () => number
}

/**
 * The text does not say how much it costs: that would tell of rows that the caller may not see, as an estimate counts
 * them all.
 */
const refusal = () =>
  invalidQuery(
    'The database expects this query to be too expensive. Add a filter or a smaller limit, or ask for fewer relations (QUERY_COST_LIMIT)',
  )

const fingerprintOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Policies add up, so the most that one of them allows is allowed. */
const createLimitFor =
  (general: number | null, byPolicy: ReadonlyMap<string, number>) =>
  ({ policies }: Pick<Actor, 'policies'>): number => {
    const own = policies.flatMap((policy) => byPolicy.get(policy) ?? [])
    return own.length > 0 ? Math.max(...own) : (general ?? Infinity)
  }

/**
 * Asks the database for the plan of each statement text once in a while and remembers what it costs. Reports do not
 * delay the read. A refusal never rests on the values of another request: a text that was too expensive is asked for
 * again. Null: the database tells no costs.
 */
export function createPlanGuard(
  { driver, dialect }: Pick<Database, 'driver' | 'dialect'>,
  { limit: general, byPolicy = new Map(), mode }: PlanLimit,
  observe: Observe,
  { size = 1000, lifetime = 600_000, now = () => performance.now() }: PlanGuardOptions = {},
): PlanGuard | null {
  const { explain, read, cost: costOf } = dialect.queryPlan
  if (costOf === null) return null
  const known = new Map<string, Known>()
  const limitFor = createLimitFor(general, byPolicy)
  let isAsking = false

  function recall(text: string): Known | null {
    const found = known.get(text)
    if (found === undefined || found.expires <= now()) return null
    // The least recently used text is the first of the map.
    known.delete(text)
    known.set(text, found)
    return found
  }

  async function ask(statement: Statement, worst = 0): Promise<Known> {
    const cost = costOf!(read(await driver.query(explain(statement))))
    const asked = { cost, fingerprint: fingerprintOf(statement.text), expires: now() + lifetime }
    known.delete(statement.text)
    known.set(statement.text, { ...asked, cost: Math.max(cost, worst) })
    const [oldest] = known.keys()
    if (known.size > size && oldest !== undefined) known.delete(oldest)
    return asked
  }

  const tell = (text: string, limit: number, { cost, fingerprint }: Known, isRefused: boolean, isNew: boolean) =>
    observe({ kind: 'statement-costly', text, fingerprint, cost, limit, isRefused, isNew })

  /** One plan at a time, beside the requests; those that come meanwhile leave it to a later one. */
  function askBeside(statement: Statement, limit: number): void {
    if (isAsking) return
    isAsking = true
    ask(statement)
      .then((asked) => asked.cost > limit && tell(statement.text, limit, asked, false, true))
      .catch(() => undefined)
      .finally(() => (isAsking = false))
  }

  async function report(statement: Statement, caller: Pick<Actor, 'policies'>): Promise<void> {
    const limit = limitFor(caller)
    if (limit === Infinity) return
    const found = recall(statement.text)
    if (found === null) askBeside(statement, limit)
    else if (found.cost > limit) tell(statement.text, limit, found, false, false)
  }

  async function refuse(statement: Statement, caller: Pick<Actor, 'policies'>): Promise<void> {
    const limit = limitFor(caller)
    if (limit === Infinity) return
    const found = recall(statement.text)
    if (found !== null && found.cost <= limit) return
    const asked = await ask(statement, found?.cost).catch(passFault)
    if (asked === null || asked.cost <= limit) return
    tell(statement.text, limit, asked, true, found === null)
    throw refusal()
  }

  return mode === 'refuse' ? refuse : report
}

/** A statement that has no plan fails by itself. */
function passFault(error: unknown): null {
  if (error instanceof DatabaseError) return null
  throw error
}

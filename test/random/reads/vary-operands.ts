import { LEAST } from '../cases.ts'
import { changeOperands } from './change-operands.ts'
import { createRng } from '../rng.ts'
import type { Request } from '../../lib/server.ts'
import { toWire } from './wire.ts'
import type { Read } from '../rights/answer.ts'
import { type Case, check, type Found, outcomeOf, type Scene } from './case.ts'
import type { Caller } from '../rights/rights.ts'
import type { Statements } from '../statements.ts'
import type { View } from '../rights/view.ts'

export interface VaryTask {
  readonly seed: number
  readonly schema: number
  readonly isOver: () => boolean
}

export interface VaryFault {
  readonly one: Case
  /** Null if the response is right and only the statements differ. */
  readonly found: Found | null
  readonly protocol: 'rest'
  readonly reason: string
  readonly request: Request
  readonly expected: unknown
  readonly actual: unknown
}

/** Repeats lists with other operands. The responses must be right, and no statement may be new to the log. */
export async function varyAll(
  scene: Scene,
  task: VaryTask,
  viewOf: (caller: Caller) => View,
  cases: readonly Case[],
): Promise<VaryFault | null> {
  let repeated = 0
  for (const one of cases) {
    if (repeated >= LEAST && task.isOver()) break
    const view = viewOf(one.caller)
    if (one.isWalk || one.read.key !== null || outcomeOf(view, one.read).status !== 200) continue
    repeated += 1
    const query = changeOperands(createRng(task.seed, task.schema, one.number, 3), view.model, one.read.query)
    const fault = await vary(scene, view, one, { ...one, read: { ...one.read, query } })
    if (fault !== null) return fault
  }
  scene.tally.varied += repeated
  return null
}

async function vary(scene: Scene, view: View, original: Case, changed: Case): Promise<VaryFault | null> {
  const { statements } = scene.theatre
  const found = await check(scene, view, changed, 'rest')
  if (found === null) return null
  const fault = { one: changed, protocol: 'rest' as const, request: found.request }
  if (found.reason !== null) return { ...fault, ...found, reason: found.reason, found }
  const fresh = statements.fresh()
  if (fresh.length === 0) return null
  // An internal statement of the service may have run in between; only repeated ones are due to the operands.
  const first = await statements.during(() => check(scene, view, original, 'rest'))
  const second = await statements.during(() => check(scene, view, changed, 'rest'))
  const grown = second.filter((text) => !first.includes(text) && !statements.isKnown(text))
  statements.learn([...fresh, ...first, ...second])
  if (grown.length === 0) return null
  const expected = { query: toWire(view.model, original.read.query), statements: first }
  return { ...fault, found: null, reason: 'other operands give another statement', expected, actual: grown }
}

const NOTHING: Read = { query: { collection: '' }, key: null }
const NO_REQUEST: Request = { method: '', path: '' }

/** The first statement so far that contains a value; or that there are no statements to look at. */
export function statementFault(statements: Statements) {
  const text = statements.taint()
  if (text === null && statements.isLogged()) return null
  const reason = text === null ? 'the service logs no statements' : 'a value stands in the text of a statement'
  return { reason, read: NOTHING, request: NO_REQUEST, expected: 'values as parameters only', actual: text }
}

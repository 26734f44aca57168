import { readNames } from '../graphql-names.ts'
import type { Model } from '../database/model.ts'
import { createRng } from '../rng.ts'
import type { Request } from '../../lib/server.ts'
import type { Read } from '../rights/answer.ts'
import { installRights } from '../rights/install.ts'
import type { Protocol } from '../protocol.ts'
import { type Origin, randomStage } from '../database/random-model.ts'
import { randomRights, readsOnly } from '../rights/random-rights.ts'
import { type Case, check, countOutcome, type Found, randomCase, type ReadTally, type Scene } from './case.ts'
import { type Caller, effectivePermissionsOf, type Rights } from '../rights/rights.ts'
import { smallerReads, smallerRights } from '../rights/shrink.ts'
import { withTheatre } from '../stage.ts'
import { statementFault, varyAll } from './vary-operands.ts'
import { createView, type View } from '../rights/view.ts'
import { canWalk } from './walk.ts'

export const ROUNDS = 8
export const READS = 25
const SHRINK_ATTEMPTS = 300

export interface ReadFailure {
  readonly schema: number
  readonly case: number
  readonly reason: string
  readonly rights: Rights
  readonly caller: Caller
  readonly read: Read
  readonly request: Request
  readonly expected: unknown
  readonly actual: unknown
  readonly model: Model
}

export interface ReadTask extends Origin {
  /** If set, runs only this case. */
  readonly case: number | null
  readonly protocols: readonly Protocol[]
  readonly shrinks: boolean
  readonly isOver: () => boolean
}

/** One random database, several permission sets, many reads by all callers. Stops at the first difference. */
export async function runReads(task: ReadTask, tally: ReadTally): Promise<ReadFailure | null> {
  const stage = randomStage(task)
  return withTheatre(`tain_oracle_${process.pid}_${task.schema}`, stage.model, async (theatre) => {
    const names = task.protocols.includes('graphql') ? await readNames(theatre.server, stage.model.tables.keys()) : null
    const scene: Scene = { stage, theatre, names, tally }
    const rounds =
      task.case === null ? Array.from({ length: ROUNDS }, (_, round) => round) : [Math.floor(task.case / READS)]
    try {
      for (const round of rounds) {
        const failure = await runRound(scene, task, round)
        if (failure !== null || task.isOver()) return failure
      }
      return null
    } finally {
      tally.statements += theatre.statements.count()
    }
  })
}

async function runRound(scene: Scene, task: ReadTask, round: number): Promise<ReadFailure | null> {
  const { stage, theatre } = scene
  const rng = createRng(task.seed, task.schema, round, 1)
  const rights = randomRights(rng, stage.model, stage.cast, readsOnly(rng.pick([0.4, 0.6, 0.9])))
  await installRights(theatre.url, stage.model, rights)
  const callers = [null, ...stage.cast.users]
  const views = new Map<Caller, View>(
    (['administrator', ...callers] as const).map((caller) => [
      caller,
      createView(stage.model, rights, effectivePermissionsOf(rights, caller)),
    ]),
  )
  const viewOf = (caller: Caller): View => views.get(caller)!
  const failed = (number: number, caller: Caller, smallest: Smallest): ReadFailure => ({
    schema: task.schema,
    case: number,
    caller,
    model: stage.model,
    ...smallest,
  })
  const passed: Case[] = []
  for (let index = 0; index < READS; index++) {
    const number = round * READS + index
    if (task.case !== null && task.case !== number) continue
    if (task.isOver()) break
    const one = randomCase(createRng(task.seed, task.schema, number, 2), number, callers, viewOf)
    const smallest = await runCase(scene, task, rights, viewOf(one.caller), one)
    if (smallest !== null) return failed(number, one.caller, smallest)
    passed.push(one)
  }
  await theatre.statements.settle()
  const fault = task.protocols.includes('rest') ? await varyAll(scene, task, viewOf, passed) : null
  if (fault !== null) {
    const { one, protocol, found, reason } = fault
    const smallest = found === null || !task.shrinks ? null : await shrink(scene, rights, one, protocol, found)
    return failed(one.number, one.caller, smallest ?? { ...fault, reason, rights, read: one.read })
  }
  const tainted = statementFault(theatre.statements)
  return tainted === null ? null : failed(round * READS, 'administrator', { ...tainted, rights })
}

/** Sends a case in each protocol. Null if all responses are right. */
async function runCase(scene: Scene, task: ReadTask, rights: Rights, view: View, one: Case): Promise<Smallest | null> {
  const { tally } = scene
  tally.cases += 1
  if (one.isWalk) tally.walks += 1
  for (const [index, protocol] of task.protocols.entries()) {
    if (protocol === 'graphql' && one.isWalk) continue
    const found = await check(scene, view, one, protocol)
    if (found === null) {
      tally.skipped += 1
      continue
    }
    if (index === 0) countOutcome(tally, found.expected)
    if (found.reason !== null)
      return task.shrinks
        ? shrink(scene, rights, one, protocol, found)
        : { ...found, reason: found.reason, rights, read: one.read }
  }
  return null
}

export type Smallest = Pick<ReadFailure, 'reason' | 'rights' | 'read' | 'request' | 'expected' | 'actual'>

/** The smallest read under the fewest permissions that still shows a difference. */
async function shrink(scene: Scene, rights: Rights, one: Case, protocol: Protocol, found: Found): Promise<Smallest> {
  const { model } = scene.stage
  let best: Smallest = { ...found, reason: found.reason!, rights, read: one.read }
  let left = SHRINK_ATTEMPTS
  const attempt = async (read: Read, fewer: Rights): Promise<boolean> => {
    left -= 1
    const view = createView(model, fewer, effectivePermissionsOf(fewer, one.caller))
    if (one.isWalk && !canWalk(view, read.query)) return false
    if (fewer !== best.rights) await installRights(scene.theatre.url, model, fewer)
    const result = await check(scene, view, { ...one, read }, protocol)
    if (result === null || result.reason === null) return false
    best = { ...result, reason: result.reason, rights: fewer, read }
    return true
  }
  const step = async (): Promise<boolean> => {
    for (const smaller of smallerReads(best.read)) if (left > 0 && (await attempt(smaller, best.rights))) return true
    for (const fewer of smallerRights(best.rights, effectivePermissionsOf(best.rights, one.caller)))
      if (left > 0 && (await attempt(best.read, fewer))) return true
    return false
  }
  while (await step());
  return best
}

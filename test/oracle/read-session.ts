import { type GraphNames, readNames } from '../differential/names.ts'
import { difference, isRecord } from '../property/expected.ts'
import type { Json, Model, Row } from '../property/model.ts'
import { noReply, type Reply, type Request } from '../property/server.ts'
import { createRng, type Rng } from '../property/rng.ts'
import { toBrackets, toJsonParameters, toWire } from '../property/wire.ts'
import { answer, type Outcome, type Read } from './answer.ts'
import { graphFault, graphRead } from './graph-read.ts'
import { installRights } from './install.ts'
import { randomStage, type Stage } from './random-model.ts'
import { keyText, randomRead } from './random-read.ts'
import { randomRights, readsOnly } from './random-rights.ts'
import { type Rights, effectivePermissionsOf, type User } from './rights.ts'
import { smallerReads, smallerRights } from './smaller.ts'
import { type Theatre, withTheatre } from './stage.ts'
import type { Through } from './through.ts'
import { createView, type View } from './view.ts'

export const ROUNDS = 8
export const READS = 50
const SHRINK_ATTEMPTS = 300
const LONGEST_ADDRESS = 12_000

export interface ReadFailure {
  readonly schema: number
  readonly case: number
  readonly reason: string
  readonly rights: Rights
  readonly user: User | null
  readonly read: Read
  readonly request: Request
  readonly expected: Outcome
  readonly actual: Reply
  readonly model: Model
}

export interface ReadTask {
  readonly seed: number
  readonly schema: number
  /** If set, runs only this case. */
  readonly case: number | null
  readonly isPlain: boolean
  readonly through: Through
  readonly shrinks: boolean
  readonly isOver: () => boolean
}

export interface ReadTally {
  cases: number
  /** Reads that the protocol cannot express. */
  skipped: number
  /** Responses by status. */
  readonly statuses: Map<number, number>
  /** Responses with at least one row. */
  filled: number
}

interface Scene {
  readonly stage: Stage
  readonly theatre: Theatre
  /** The GraphQL names; null if GraphQL is not used. */
  readonly names: GraphNames | null
}

/** One random database, several permission sets, many reads by all callers. Stops at the first difference. */
export async function runReads(task: ReadTask, tally: ReadTally): Promise<ReadFailure | null> {
  const stage = randomStage(task.seed, task.schema, task.isPlain)
  return withTheatre(`tain_oracle_${process.pid}_${task.schema}`, stage.model, async (theatre) => {
    const names = task.through === 'rest' ? null : await readNames(theatre.server, stage.model.tables.keys())
    const scene: Scene = { stage, theatre, names }
    const rounds =
      task.case === null ? Array.from({ length: ROUNDS }, (_, round) => round) : [Math.floor(task.case / READS)]
    for (const round of rounds) {
      const failure = await runRound(scene, task, round, tally)
      if (failure !== null || task.isOver()) return failure
    }
    return null
  })
}

async function runRound(scene: Scene, task: ReadTask, round: number, tally: ReadTally): Promise<ReadFailure | null> {
  const { stage, theatre } = scene
  const rng = createRng(task.seed, task.schema, round, 1)
  const rights = randomRights(rng, stage.model, stage.cast, readsOnly(rng.pick([0.4, 0.6, 0.9])))
  await installRights(theatre.url, stage.model, rights)
  const callers = [null, ...stage.cast.users]
  const views = callers.map((user) => createView(stage.model, rights, effectivePermissionsOf(rights, user)))
  for (let index = 0; index < READS; index++) {
    const number = round * READS + index
    if (task.case !== null && task.case !== number) continue
    if (task.isOver()) return null
    const one = createRng(task.seed, task.schema, number, 2)
    const at = one.int(0, callers.length - 1)
    const read = randomRead(one, views[at]!)
    const form = formOf(one)
    const isViewed = one.chance(0.3)
    const found = await check(scene, views[at]!, callers[at]!, read, form, isViewed)
    if (found === null) {
      tally.skipped += 1
      continue
    }
    tally.cases += 1
    tally.statuses.set(found.expected.status, (tally.statuses.get(found.expected.status) ?? 0) + 1)
    if (isFilled(found.expected)) tally.filled += 1
    if (found.reason === null) continue
    const smallest = task.shrinks
      ? await shrink(scene, rights, callers[at]!, read, form, found)
      : { ...found, reason: found.reason, rights, read }
    return { schema: task.schema, case: number, user: callers[at]!, model: stage.model, ...smallest }
  }
  return null
}

const isFilled = (outcome: Outcome): boolean =>
  outcome.status === 200 && (!Array.isArray(outcome.body.data) || outcome.body.data.length > 0)

type Form = 'SEARCH' | 'GET JSON' | 'GET brackets'

const formOf = (rng: Rng): Form =>
  rng.weighted<Form>([
    [6, 'SEARCH'],
    [2, 'GET JSON'],
    [2, 'GET brackets'],
  ])

interface Found {
  readonly reason: string | null
  readonly request: Request
  readonly expected: Outcome
  readonly actual: Reply
}

/** Returns null if the protocol cannot express the read. */
async function check(
  scene: Scene,
  view: View,
  user: User | null,
  read: Read,
  form: Form,
  isViewed: boolean,
): Promise<Found | null> {
  const { server } = scene.theatre
  const expect = (asked: Read) => answer(view, asked, (name: string, row: Row) => keyText(view.model, name, row))
  if (scene.names === null) {
    const request = requestBy(user, requestOf(view.model, read, form, user), isViewed)
    const expected = expect(read)
    const actual = await server.send(request).catch(noReply)
    return { reason: server.ended() ?? compare(expected, actual), request, expected, actual }
  }
  const asked = graphRead(scene.names, view, read, user)
  if (asked === null) return null
  const expected = expect(asked.read)
  const request = requestBy(user, asked.request, isViewed)
  const actual = await server.send(request).catch(noReply)
  const reason = server.ended() ?? graphFault(view, asked, expected, actual)
  return { reason, request, expected, actual }
}

/** The request of a user, or the same one of an administrator who views as that user. */
function requestBy(user: User | null, { token, ...request }: Request, isViewed: boolean): Request {
  return isViewed ? { ...request, viewAs: user?.id ?? 'public' } : { ...request, ...(token !== undefined && { token }) }
}

/** How a response differs from the expected one, or null. */
export function compare(expected: Outcome, actual: Reply): string | null {
  if (actual.status !== expected.status) return `status ${actual.status}, expected ${expected.status}`
  if (expected.status === 200) return difference(expected.body, actual.body)
  const code = codeOf(actual)
  return code === expected.code ? null : `code ${code}, expected ${expected.code}`
}

export function codeOf({ body }: Reply): string {
  const errors: unknown = isRecord(body) ? body['errors'] : null
  const first: unknown = Array.isArray(errors) ? errors[0] : null
  const extensions: unknown = isRecord(first) ? first['extensions'] : null
  return isRecord(extensions) ? String(extensions['code']) : 'none'
}

export function requestOf(model: Model, { query, key }: Read, form: Form, user: User | null): Request {
  const wire: Record<string, Json> = toWire(model, query)
  const path = `/items/${encodeURIComponent(query.collection)}`
  const token = user?.token ?? null
  if (key !== null)
    return { method: 'GET', path: `${path}/${key.map(encodeURIComponent).join(',')}?${toJsonParameters(wire)}`, token }
  const parameters = form === 'GET JSON' ? toJsonParameters(wire) : form === 'GET brackets' ? toBrackets(wire) : null
  if (parameters !== null && parameters.length < LONGEST_ADDRESS)
    return { method: 'GET', path: `${path}?${parameters}`, token }
  return { method: 'SEARCH', path, body: { query: wire }, token }
}

type Smallest = Pick<ReadFailure, 'reason' | 'rights' | 'read' | 'request' | 'expected' | 'actual'>

/** The smallest read under the fewest permissions that still shows a difference. */
async function shrink(
  scene: Scene,
  rights: Rights,
  user: User | null,
  read: Read,
  form: Form,
  found: Found,
): Promise<Smallest> {
  const { model } = scene.stage
  let best: Smallest = { ...found, reason: found.reason!, rights, read }
  let left = SHRINK_ATTEMPTS
  const attempt = async (smallerRead: Read, fewer: Rights): Promise<boolean> => {
    left -= 1
    if (fewer !== best.rights) await installRights(scene.theatre.url, model, fewer)
    const view = createView(model, fewer, effectivePermissionsOf(fewer, user))
    const result = await check(scene, view, user, smallerRead, form, found.request.viewAs !== undefined)
    if (result === null || result.reason === null) return false
    best = { ...result, reason: result.reason, rights: fewer, read: smallerRead }
    return true
  }
  const step = async (): Promise<boolean> => {
    for (const smaller of smallerReads(best.read)) if (left > 0 && (await attempt(smaller, best.rights))) return true
    for (const fewer of smallerRights(best.rights, effectivePermissionsOf(best.rights, user)))
      if (left > 0 && (await attempt(best.read, fewer))) return true
    return false
  }
  while (await step());
  return best
}

import { type Outcome, predict, type WriteRequest } from '../model/model.ts'
import { randomRequest } from '../model/request.ts'
import { readStored, resetRows, type Session, pathOf, withSession } from '../model/session.ts'
import { compareRows, plainState, stateOf } from '../model/settle.ts'
import { newRow, type Row, type State } from '../model/state.ts'
import { type Schema, type Table, tableOf } from '../model/schema.ts'
import { shrink } from '../model/shrink.ts'
import { answered } from '../model/values.ts'
import { databaseUrl } from '../property/database.ts'
import { isRecord } from '../property/expected.ts'
import { createRng, type Rng } from '../property/rng.ts'
import { noReply, type Reply } from '../property/server.ts'
import { type Cast, randomCast } from './cast.ts'
import { convert } from './convert.ts'
import { installRights } from './install.ts'
import { codeOf } from './read-session.ts'
import { type Rights, type EffectivePermissions, effectivePermissionsOf, type User } from './rights.ts'
import { smallerRights } from './smaller.ts'
import { createView, type View } from './view.ts'
import { createGuard } from './write-guard.ts'
import { randomWriteRights } from './write-rights.ts'

export const SEQUENCES = 60
const SHRINK_ATTEMPTS = 200

/** A write and its caller. */
export interface SignedRequest extends WriteRequest {
  readonly user: User | null
}

export interface WriteFailure {
  readonly schema: number
  readonly sequence: number
  readonly reason: string
  readonly rights: Rights
  readonly requests: readonly SignedRequest[]
  readonly reply: Reply
  readonly model: Schema
  readonly start: State
}

export interface WriteTask {
  readonly seed: number
  readonly schema: number
  readonly sequence: number | null
  readonly shrinks: boolean
  readonly isOver: () => boolean
}

export interface WriteTally {
  sequences: number
  requests: number
  done: number
  forbidden: number
  invalid: number
  /** Rejected for several reasons, or left open by the contract. */
  loose: number
}

interface Scene extends Session {
  readonly url: string
  readonly cast: Cast
  readonly tally: WriteTally
}

interface Difference {
  readonly reason: string
  readonly reply: Reply
}

export async function runWrites(task: WriteTask, tally: WriteTally): Promise<WriteFailure | null> {
  return withSession(task.seed, task.schema, async (session) => {
    const cast = randomCast(createRng(task.seed, task.schema, 3))
    const scene: Scene = { ...session, cast, tally, url: databaseUrl(session.database) }
    const end = task.sequence === null ? SEQUENCES : task.sequence + 1
    for (let number = task.sequence ?? 0; number < end && !task.isOver(); number++) {
      const failure = await runSequence(scene, task, number)
      tally.sequences += 1
      if (failure !== null) return failure
    }
    return null
  })
}

async function runSequence(scene: Scene, task: WriteTask, sequence: number): Promise<WriteFailure | null> {
  const rng = createRng(task.seed, task.schema, sequence, 4)
  const { schema, start } = scene
  const rights = randomWriteRights(rng, schema, start, scene.cast)
  await installRights(scene.url, convert(schema, start).model, rights)
  let number = 0
  const fresh = (): number => (number += 1)
  const length = rng.int(5, 10)
  const requests: SignedRequest[] = []
  let state = await resetRows(scene)
  for (let index = 0; index < length; index++) {
    const request = randomSigned(rng, scene, rights, state, fresh)
    requests.push(request)
    const { next, difference } = await step(scene, rights, state, request)
    if (difference === null) {
      state = next
      continue
    }
    const smallest = task.shrinks
      ? await shrunk(scene, rights, requests, difference)
      : { ...difference, rights, requests }
    return { schema: task.schema, sequence, model: schema, start, ...smallest }
  }
  return null
}

/** Prefers a request that succeeds; rejections are frequent enough. */
function randomSigned(rng: Rng, scene: Scene, rights: Rights, state: State, fresh: () => number): SignedRequest {
  const users = [...scene.cast.users, ...(rng.chance(0.2) ? [null] : [])]
  for (let attempt = 0; ; attempt++) {
    const user = rng.pick(users)
    const request = { ...randomRequest(rng, scene.schema, state, fresh), user }
    if (attempt === 5 || rng.chance(0.25)) return request
    const effective = effectivePermissionsOf(rights, user)
    const guard = createGuard(rights, effective, { checksRights: true, checksValidation: true, checksNames: true })
    if (!effective.isShutOut && predict(scene.schema, state, request, guard).kind === 'done') return request
  }
}

interface Expectation {
  readonly outcome: Outcome
  /** The error codes that a rejection may have; null allows any. */
  readonly codes: readonly string[] | null
}

function expectationOf(
  { schema }: Scene,
  rights: Rights,
  effective: EffectivePermissions,
  state: State,
  request: WriteRequest,
): Expectation {
  const outcomeOf = (checksRights: boolean, checksValidation: boolean, checksNames = false): Outcome =>
    predict(schema, state, request, createGuard(rights, effective, { checksRights, checksValidation, checksNames }))
  const outcome = outcomeOf(true, true, true)
  if (outcome.kind !== 'refused') return { outcome, codes: null }
  const [right, valid, free] = [outcomeOf(true, false), outcomeOf(false, true), outcomeOf(false, false)]
  if (free.kind !== 'done' || free.mayRefuse !== null) return { outcome, codes: null }
  // Permissions choose the rows of a query, and the database may reject the changes to those rows.
  if (right.kind === 'refused' && right.status !== 403) return { outcome, codes: null }
  const codes = [
    ...(right.kind === 'done' ? [] : ['FORBIDDEN']),
    ...(valid.kind === 'done' ? [] : ['FAILED_VALIDATION']),
    ...(outcomeOf(false, false, true).kind === 'done' ? [] : ['INVALID_PAYLOAD']),
  ]
  return { outcome, codes: right.kind === 'open' || valid.kind === 'open' ? null : codes }
}

async function step(
  scene: Scene,
  rights: Rights,
  state: State,
  request: SignedRequest,
): Promise<{ next: State; difference: Difference | null }> {
  const { schema, server, tally } = scene
  const effective = effectivePermissionsOf(rights, request.user)
  const { method, body, user } = request
  const sent = { method, path: pathOf(request), token: user?.token ?? null, ...(body === undefined ? {} : { body }) }
  const reply = await server.send(sent).catch(noReply)
  const found = (reason: string) => ({ next: state, difference: { reason, reply } })
  if (reply.status === 0) return found(`no answer: ${server.ended() ?? 'the service still runs'}`)
  const actual = await readStored(scene)
  tally.requests += 1
  if (reply.status >= 500 || reply.status === 404) return found(`status ${reply.status}`)
  const isRefused = reply.status >= 400
  if (isRefused) {
    const changed = compareRows(schema, state, actual)
    if (changed !== null) return found(`refused, but the rows have changed: ${changed}`)
  }
  if (effective.isShutOut)
    return codeOf(reply) === 'INVALID_IP' ? { next: state, difference: null } : found('expected INVALID_IP')
  const { outcome, codes } = expectationOf(scene, rights, effective, state, request)
  if (outcome.kind === 'open') {
    tally.loose += 1
    return { next: isRefused ? state : stateOf(schema, state, actual, newRow), difference: null }
  }
  if (outcome.kind === 'refused') {
    if (!isRefused) return found(`done, but has to be refused: ${outcome.reason}`)
    if (codes === null) tally.loose += 1
    else if (codes[0] === 'FORBIDDEN') tally.forbidden += 1
    else tally.invalid += 1
    if (codes === null || codes.includes(codeOf(reply))) return { next: state, difference: null }
    return found(`refused with ${codeOf(reply)}, expected ${codes.join(' or ')}: ${outcome.reason}`)
  }
  if (isRefused) {
    if (outcome.mayRefuse !== null) tally.loose += 1
    return outcome.mayRefuse === null ? found('refused, but has to be done') : { next: state, difference: null }
  }
  tally.done += 1
  const wrong = compareRows(schema, outcome.state, actual)
  if (wrong !== null) return found(wrong)
  const next = plainState(outcome.state)
  const view = createView(convert(schema, next).model, rights, effective)
  const answer = compareReply(scene, request, outcome, next, view, reply)
  return answer === null ? { next, difference: null } : found(answer)
}

/** The response contains the written rows if the caller may read all of them, and otherwise nothing. */
function compareReply(
  { schema }: Scene,
  request: SignedRequest,
  { answer }: Extract<Outcome, { kind: 'done' }>,
  next: State,
  view: View,
  { status, body }: Reply,
): string | null {
  if (answer.form === 'nothing') return status === 204 ? null : `status ${status}, expected 204`
  const table = tableOf(schema, request.table)
  const visible = new Set(view.rows(table.name, [{ kind: 'star' }]))
  const { rowOf } = convert(schema, next)
  const isReadable = view.isReadable(table.name)
  const isWhole = answer.rows.every(({ id }) => visible.has(rowOf.get(id)!))
  if (!isReadable || !isWhole) return status === 204 ? null : `status ${status}, expected 204`
  if (status !== 200) return `status ${status}, expected 200`
  if (answer.order === 'skip' || !isRecord(body)) return null
  const data: unknown = body['data']
  const items: unknown[] = Array.isArray(data) ? data : [data]
  const shown = answer.rows.map((row) => shownText(table, view, row, rowOf))
  const given = items.map((item) => itemText(table, item))
  const isSame =
    answer.order === 'ordered'
      ? JSON.stringify(shown) === JSON.stringify(given)
      : JSON.stringify(shown.toSorted()) === JSON.stringify(given.toSorted())
  return isSame ? null : `answer ${JSON.stringify(given)}, expected ${JSON.stringify(shown)}`
}

function shownText(table: Table, view: View, row: Row, rowOf: ReadonlyMap<number, unknown>): string {
  const stored = rowOf.get(row.id) as Parameters<View['sees']>[1]
  const columns = view.star(table.name, false).columns
  return JSON.stringify(
    table.columns.flatMap(({ name }) => {
      if (!columns.includes(name)) return []
      const value = row.values.get(name) ?? null
      const text = typeof value === 'object' && value !== null ? value.value : value
      return [[name, view.sees(table.name, stored, name) ? text : null]]
    }),
  )
}

function itemText(table: Table, item: unknown): string {
  const fields = isRecord(item) ? item : {}
  return JSON.stringify(
    table.columns.flatMap(({ name }) => (Object.hasOwn(fields, name) ? [[name, answered(fields[name])]] : [])),
  )
}

async function replay(scene: Scene, rights: Rights, requests: readonly SignedRequest[]): Promise<Difference | null> {
  await installRights(scene.url, convert(scene.schema, scene.start).model, rights)
  let state = await resetRows(scene)
  for (const request of requests) {
    const { next, difference } = await step(scene, rights, state, request)
    if (difference !== null) return difference
    state = next
  }
  return null
}

type Smallest = Pick<WriteFailure, 'reason' | 'rights' | 'requests' | 'reply'>

async function shrunk(
  scene: Scene,
  rights: Rights,
  requests: readonly SignedRequest[],
  difference: Difference,
): Promise<Smallest> {
  const counted = { ...scene.tally }
  const fails = (some: readonly WriteRequest[]) => replay(scene, rights, some as readonly SignedRequest[])
  const smaller = await shrink(requests, difference, fails, SHRINK_ATTEMPTS)
  let best: Smallest = { ...smaller.found, rights, requests: smaller.requests as readonly SignedRequest[] }
  let left = SHRINK_ATTEMPTS
  const step = async (): Promise<boolean> => {
    for (const user of new Set(best.requests.map((request) => request.user))) {
      for (const fewer of smallerRights(best.rights, effectivePermissionsOf(best.rights, user))) {
        if (left-- <= 0) return false
        const found = await replay(scene, fewer, best.requests)
        if (found === null) continue
        best = { requests: best.requests, ...found, rights: fewer }
        return true
      }
    }
    return false
  }
  while (await step());
  Object.assign(scene.tally, counted)
  return best
}

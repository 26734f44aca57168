import type { GraphNames } from '../graphql-names.ts'
import { type Expected, type Outcome, predict, type WriteRequest } from './predict.ts'
import { type Schema, type Table, tableOf } from './schema.ts'
import { pathOf, readStored, resetRows, type Session } from './stage.ts'
import { compareAnswer, compareRows, plainState, stateOf } from './match-rows.ts'
import { newRow, type Row, type State } from './state.ts'
import { answered } from './values.ts'
import { isRecord } from '../reads/interpret/expected.ts'
import { noReply, type Reply, type Request } from '../../lib/server.ts'
import type { Cast } from '../rights/cast.ts'
import { convert } from './convert.ts'
import { tokenOf } from '../reads/encoding.ts'
import { graphWrite } from './graphql.ts'
import type { Protocol } from '../protocol.ts'
import { codeOf } from '../reads/case.ts'
import { type Caller, type EffectivePermissions, effectivePermissionsOf, type Rights } from '../rights/rights.ts'
import { createView, type View } from '../rights/view.ts'
import { createGuard } from './permission-guard.ts'

/** A write, its caller and the protocol that it is sent in. */
export interface SignedRequest extends WriteRequest {
  readonly caller: Caller
  readonly protocol: Protocol
}

export interface WriteTally {
  sequences: number
  requests: number
  /** Of these, sent in GraphQL. */
  graphql: number
  /** Sent in both protocols on the same rows. */
  paired: number
  done: number
  forbidden: number
  invalid: number
  /** Rejected for several reasons, or left open by the contract. */
  loose: number
}

export interface Scene extends Session {
  readonly url: string
  readonly cast: Cast
  readonly names: GraphNames
  readonly tally: WriteTally
}

export interface Difference {
  readonly reason: string
  readonly reply: Reply
}

export interface Step {
  readonly next: State
  readonly difference: Difference | null
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
  request: SignedRequest,
): Expectation {
  if (request.caller === 'administrator') return { outcome: predict(schema, state, request), codes: null }
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

/**
 * Sends one write and compares the response and all rows with the expectation. The first write of a sequence is sent in
 * GraphQL too: both protocols must give the same error code.
 */
export async function step(
  scene: Scene,
  rights: Rights,
  state: State,
  request: SignedRequest,
  isFirst: boolean,
): Promise<Step> {
  const effective = effectivePermissionsOf(rights, request.caller)
  // Each response binds the generated values of its own expectation.
  const expected = (): Expectation => expectationOf(scene, rights, effective, state, request)
  const document = request.caller === 'administrator' ? graphWrite(scene.schema, scene.names, request) : null
  const rest = { method: request.method, path: pathOf(request), ...tokenOf(request.caller), ...bodyOf(request) }
  const attempt = async (sent: Request): Promise<Step & { readonly reply: Reply }> => {
    const reply = await scene.server.send(sent).catch(noReply)
    return { ...(await judge(scene, rights, effective, state, request, expected(), reply)), reply }
  }
  const isGraph = request.protocol === 'graphql' && document !== null
  if (!isFirst || document === null || expected().outcome.kind === 'open') {
    if (isGraph) scene.tally.graphql += 1
    return attempt(isGraph ? document : rest)
  }
  scene.tally.paired += 1
  const graph = await attempt(document)
  if (graph.difference !== null) return graph
  await resetRows(scene)
  const plain = await attempt(rest)
  if (plain.difference !== null) return plain
  const [one, other] = [codeOf(plain.reply), codeOf(graph.reply)]
  // GraphQL rejects by its types what REST rejects by its payload.
  if (one === other || (other === 'GRAPHQL_VALIDATION' && one !== 'none')) return plain
  return { next: state, difference: { reason: `REST answers ${one}, GraphQL ${other}`, reply: graph.reply } }
}

const bodyOf = ({ body }: WriteRequest): Pick<Request, 'body'> => (body === undefined ? {} : { body })

const isGraphReply = ({ body }: Reply): boolean => isRecord(body) && isRecord(body['data']) && 'root' in body['data']

async function judge(
  scene: Scene,
  rights: Rights,
  effective: EffectivePermissions,
  state: State,
  request: SignedRequest,
  { outcome, codes }: Expectation,
  reply: Reply,
): Promise<Step> {
  const { schema, server, tally } = scene
  const found = (reason: string): Step => ({ next: state, difference: { reason, reply } })
  if (reply.status === 0) return found(`no answer: ${server.ended() ?? 'the service still runs'}`)
  const actual = await readStored(scene)
  tally.requests += 1
  if (reply.status >= 500 || reply.status === 404) return found(`status ${reply.status}`)
  const isRefused = reply.status >= 400 || codeOf(reply) !== 'none'
  if (isRefused) {
    const changed = compareRows(schema, state, actual)
    if (changed !== null) return found(`refused, but the rows have changed: ${changed}`)
  }
  if (effective.isShutOut)
    return codeOf(reply) === 'INVALID_IP' ? { next: state, difference: null } : found('expected INVALID_IP')
  if (outcome.kind === 'open') {
    tally.loose += 1
    return { next: isRefused ? state : stateOf(schema, state, actual, newRow), difference: null }
  }
  if (outcome.kind === 'refused') {
    if (!isRefused) return found(`done, but has to be refused: ${outcome.reason}`)
    if (codes === null) tally.loose += 1
    else if (codes[0] === 'FORBIDDEN') tally.forbidden += 1
    else tally.invalid += 1
    const wrong = wrongRefusal(request, outcome, codes, reply)
    return wrong === null ? { next: state, difference: null } : found(wrong)
  }
  if (isRefused) {
    if (outcome.mayRefuse !== null) tally.loose += 1
    return outcome.mayRefuse === null ? found('refused, but has to be done') : { next: state, difference: null }
  }
  tally.done += 1
  // The administrator's response shows the generated values, which tell rows apart.
  const isWhole = request.caller === 'administrator' && !isGraphReply(reply)
  const wrong =
    (isWhole ? compareWhole(schema, request, outcome.answer, reply) : null) ??
    compareRows(schema, outcome.state, actual)
  if (wrong !== null) return found(wrong)
  const next = plainState(outcome.state)
  if (isGraphReply(reply)) return { next, difference: null }
  const view = createView(convert(schema, next).model, rights, effective)
  const answer = compareReply(scene, request, outcome, next, view, reply)
  return answer === null ? { next, difference: null } : found(answer)
}

/** An address can only be invalid in one way; of several errors in a payload, the service may report any. */
function wrongRefusal(
  { caller, method, key }: SignedRequest,
  { reason, status }: Extract<Outcome, { kind: 'refused' }>,
  codes: readonly string[] | null,
  reply: Reply,
): string | null {
  if (codes !== null)
    return codes.includes(codeOf(reply))
      ? null
      : `refused with ${codeOf(reply)}, expected ${codes.join(' or ')}: ${reason}`
  if (caller !== 'administrator' || reply.status === 200) return null
  if (![400, 403, 422].includes(reply.status)) return `refused with ${reply.status}`
  const isClear = method === 'DELETE' && key !== null
  return isClear && reply.status !== status ? `refused with ${reply.status}, not ${status}` : null
}

/** The administrator's response contains all columns of the written rows, with the generated values. */
function compareWhole(schema: Schema, { table }: WriteRequest, expected: Expected, reply: Reply): string | null {
  if (expected.form === 'nothing' || expected.order === 'skip' || !isRecord(reply.body)) return null
  const data: unknown = reply.body['data']
  return compareAnswer(tableOf(schema, table), expected.rows, Array.isArray(data) ? data : [data], expected.order)
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
  if (isRecord(body) && Array.isArray(body['data']) !== (answer.form === 'many')) return 'an answer of the wrong form'
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

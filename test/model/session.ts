import { databaseUrl } from '../property/database.ts'
import { createRng } from '../property/rng.ts'
import { noReply, type Reply, type Server, startServer } from '../property/server.ts'
import { declareRelations } from './declare.ts'
import { fixedSchema } from './fixed-schema.ts'
import { type Expected, type Outcome, predict, type WriteRequest } from './model.ts'
import { randomSchema } from './random-schema.ts'
import { randomRequest } from './request.ts'
import { type Schema, tableOf } from './schema.ts'
import { compareAnswer, compareRows, plainState, stateOf, type Stored } from './settle.ts'
import { startState } from './start.ts'
import { newRow, type State } from './state.ts'
import { openStore, retry, type Store } from './store.ts'

/** Every fourth schema is the fixed one, with other rows. */
const FIXED_EVERY = 4

export interface Session {
  readonly database: string
  readonly schema: Schema
  readonly start: State
  readonly server: Server
  readonly store: Store
  readonly counts: Counts
}

export interface Counts {
  requests: number
  done: number
  refused: number
  /** The database was allowed to reject the request, whether or not it did. */
  either: number
  open: number
}

export interface Difference {
  readonly reason: string
  readonly outcome: Outcome['kind']
  readonly reply: Reply
}

export function sessionModel(seed: number, number: number): { readonly schema: Schema; readonly start: State } {
  const rng = createRng(seed, number)
  const schema = number % FIXED_EVERY === 0 ? fixedSchema() : randomSchema(rng)
  return { schema, start: startState(rng, schema) }
}

/** One random database with its service. */
export async function withSession<T>(seed: number, number: number, work: (session: Session) => Promise<T>): Promise<T> {
  const name = `tain_model_${process.pid}_${number}`
  const { schema, start } = sessionModel(seed, number)
  const store = await openStore(name, schema)
  try {
    const [first = ''] = schema.tables.keys()
    const server = await retry(() => startServer(databaseUrl(name), '', `/items/${first}`))
    try {
      await declareRelations(server, schema)
      const counts: Counts = { requests: 0, done: 0, refused: 0, either: 0, open: 0 }
      return await work({ database: name, schema, start, server, store, counts })
    } finally {
      await server.stop()
    }
  } finally {
    await store.close()
  }
}

export async function readStored({ store, schema }: Pick<Session, 'store' | 'schema'>): Promise<Stored> {
  const tables = JSON.parse(await store.read()) as (string | null)[][][]
  return new Map([...schema.tables.keys()].map((name, index) => [name, tables[index] ?? []]))
}

export interface SequenceResult {
  readonly requests: readonly WriteRequest[]
  readonly difference: Difference | null
}

/** Random requests in sequence, each based on the rows that the previous one left. */
export async function randomSequence(session: Session, seeds: readonly number[]): Promise<SequenceResult> {
  const rng = createRng(...seeds)
  let number = 0
  const fresh = (): number => (number += 1)
  const length = rng.int(5, 10)
  const requests: WriteRequest[] = []
  let state = await resetRows(session)
  for (let index = 0; index < length; index++) {
    const request = randomRequest(rng, session.schema, state, fresh)
    requests.push(request)
    const { next, difference } = await step(session, state, request)
    if (difference !== null) return { requests, difference }
    state = next
  }
  return { requests, difference: null }
}

/** Sends the same requests again. */
export async function replay(session: Session, requests: readonly WriteRequest[]): Promise<Difference | null> {
  let state = await resetRows(session)
  for (const request of requests) {
    const { next, difference } = await step(session, state, request)
    if (difference !== null) return difference
    state = next
  }
  return null
}

export async function resetRows({ store, start }: Session): Promise<State> {
  await store.reset(start)
  return start
}

export function pathOf({ table, key, onConflict }: WriteRequest): string {
  const address = `/items/${table}${key === null ? '' : `/${key}`}`
  return onConflict === null ? address : `${address}?on_conflict=${encodeURIComponent(onConflict)}`
}

async function step(
  session: Session,
  state: State,
  request: WriteRequest,
): Promise<{ next: State; difference: Difference | null }> {
  const { schema, server, counts } = session
  const outcome = predict(schema, state, request)
  const { method, body } = request
  const sent = { method, path: pathOf(request), ...(body === undefined ? {} : { body }) }
  const reply = await server.send(sent).catch(noReply)
  if (reply.status === 0) {
    const reason = `no answer: ${server.ended() ?? 'the service still runs'}`
    return { next: state, difference: { reason, outcome: outcome.kind, reply } }
  }
  const actual = await readStored(session)
  counts.requests += 1
  const found = (reason: string) => ({ next: state, difference: { reason, outcome: outcome.kind, reply } })
  if (reply.status >= 500 || reply.status === 404) return found(`status ${reply.status}`)
  const isRefused = reply.status >= 400
  if (isRefused) {
    const changed = compareRows(schema, state, actual)
    if (changed !== null) return found(`refused, but the rows have changed: ${changed}`)
    if (![400, 403, 422].includes(reply.status)) return found(`refused with ${reply.status}`)
  }
  if (outcome.kind === 'open') {
    counts.open += 1
    return { next: isRefused ? state : stateOf(schema, state, actual, newRow), difference: null }
  }
  if (outcome.kind === 'refused') {
    counts.refused += 1
    if (!isRefused) return found(`done, but has to be refused: ${outcome.reason}`)
    // A URL can only be invalid in one way; of several errors in a payload, the service may report any.
    const isClear = method === 'DELETE' && request.key !== null
    if (isClear && reply.status !== outcome.status) return found(`refused with ${reply.status}, not ${outcome.status}`)
    return { next: state, difference: null }
  }
  counts[outcome.mayRefuse === null ? 'done' : 'either'] += 1
  if (isRefused) {
    if (outcome.mayRefuse !== null) return { next: state, difference: null }
    return found('refused, but has to be done')
  }
  const wrong = compareReply(schema, request, outcome.answer, reply) ?? compareRows(schema, outcome.state, actual)
  return wrong === null ? { next: plainState(outcome.state), difference: null } : found(wrong)
}

function compareReply(schema: Schema, { table }: WriteRequest, expected: Expected, reply: Reply): string | null {
  if (expected.form === 'nothing') return reply.status === 204 ? null : `status ${reply.status}, expected 204`
  if (reply.status !== 200) return `status ${reply.status}, expected 200`
  const { data } = reply.body as { readonly data?: unknown }
  if (Array.isArray(data) !== (expected.form === 'many')) return 'an answer of the wrong form'
  if (expected.order === 'skip') return null
  return compareAnswer(tableOf(schema, table), expected.rows, Array.isArray(data) ? data : [data], expected.order)
}

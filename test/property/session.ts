import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Query } from './ast.ts'
import { createDatabase, databaseUrl, dropDatabase } from './database.ts'
import { fitted } from './dialect.ts'
import { difference, isRecord } from './expected.ts'
import { LEAST } from './gate.ts'
import { interpret } from './interpret.ts'
import type { Json, Model } from './model.ts'
import { randomQuery, randomWalk } from './query.ts'
import { changeOperands } from './reoperand.ts'
import { createRng } from './rng.ts'
import { fillSchema } from './rows.ts'
import { randomSchema } from './schema.ts'
import { noReply, type Reply, type Request, type Server, startServer } from './server.ts'
import { smallerQueries } from './shrink.ts'
import { findTaint, openStatementLog, type StatementLog } from './statements.ts'
import { toBrackets, toJsonParameters, toWire, type WireQuery } from './wire.ts'

const LONGEST_ADDRESS = 12_000
const SHRINK_ATTEMPTS = 400

export type Spelling = 'SEARCH' | 'QUERY' | 'GET JSON' | 'GET brackets' | 'cursor walk'

export interface Failure {
  readonly schema: number
  readonly case: number
  readonly spelling: Spelling | 'statements' | 'start'
  readonly reason: string
  readonly query: WireQuery
  readonly collection: string
  readonly expected: unknown
  readonly actual: unknown
  readonly model: Model
}

/** A failure without its schema and case. */
type Finding = Omit<Failure, 'schema' | 'case' | 'model'>

export interface SchemaResult {
  readonly cases: number
  readonly requests: number
  readonly statements: number
  /** False if the service wrote no statement log, so that no statements were checked. */
  readonly hasLog: boolean
  readonly failures: readonly Failure[]
}

export interface SchemaTask {
  readonly seed: number
  readonly schema: number
  readonly cases: readonly number[]
  /** No hostile names. */
  readonly isPlain: boolean
  /** The number of failures that ends the work on this schema. */
  readonly enough: number
  readonly isOver: () => boolean
}

export function randomModel(seed: number, schema: number, isPlain = false): Model {
  const rng = createRng(seed, schema)
  return fitted(fillSchema(rng, randomSchema(rng, isPlain)))
}

interface Session {
  readonly model: Model
  readonly server: Server
  readonly log: StatementLog
  readonly texts: Set<string>
  requests: number
  taint: string | null
}

interface Case {
  readonly query: Query
  readonly spelling: Spelling
}

/** One random database with its service, and many queries against it. */
export async function runSchema(task: SchemaTask): Promise<SchemaResult> {
  const model = randomModel(task.seed, task.schema, task.isPlain)
  const database = `tain_property_${process.pid}_${task.schema}`
  const folder = mkdtempSync(join(tmpdir(), 'tain-property-'))
  const file = join(folder, 'statements.jsonl')
  let server: Server | undefined
  try {
    await createDatabase(database, model)
    const probe = `/items/${encodeURIComponent([...model.tables.keys()][0]!)}?limit=0`
    const started = await startServer(databaseUrl(database), file, probe).catch(String)
    if (typeof started === 'string') return notStarted(task, model, started)
    server = started
    return await runCases(task, {
      model,
      server,
      log: openStatementLog(file),
      texts: new Set(),
      requests: 0,
      taint: null,
    })
  } finally {
    await server?.stop()
    await dropDatabase(database)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A database on which the service cannot start is a failure too. */
function notStarted({ schema }: SchemaTask, model: Model, reason: string): SchemaResult {
  const failure: Failure = {
    schema,
    case: -1,
    spelling: 'start',
    reason,
    query: {},
    collection: '',
    expected: 'a service that runs',
    actual: null,
    model,
  }
  return { cases: 0, requests: 0, statements: 0, hasLog: true, failures: [failure] }
}

async function runCases(task: SchemaTask, session: Session): Promise<SchemaResult> {
  const failures: Failure[] = []
  const done: Done[] = []
  let cases = 0
  const fail = (number: number, failure: Finding): void => {
    failures.push({ schema: task.schema, case: number, model: session.model, ...failure })
  }
  const isEnough = (): boolean =>
    failures.length >= task.enough || (cases >= LEAST && task.isOver()) || session.server.ended() !== null
  collectTexts(session)
  for (const number of task.cases) {
    if (isEnough()) break
    cases++
    const failure = await checkCase(session, casesOf(task, session.model, number), done, number)
    if (failure !== null) fail(number, failure)
  }
  await settle(session)
  for (const { number, query } of done) {
    if (isEnough()) break
    const failure = await checkShape(session, createRng(task.seed, task.schema, number, 2), query)
    if (failure !== null) fail(number, failure)
  }
  if (session.taint !== null) fail(-1, taintFailure(session.taint))
  const { requests, texts } = session
  return { cases, requests, statements: texts.size, hasLog: session.log.read() !== null, failures }
}

interface Done {
  readonly number: number
  readonly query: Query
}

/** Adds to `done` the cases that passed and can be repeated with other operands. */
async function checkCase(
  session: Session,
  cases: readonly Case[],
  done: Done[],
  number: number,
): Promise<Finding | null> {
  for (const one of cases) {
    const reason = await check(session, one)
    if (reason !== null) return describe(session, one, reason)
  }
  const { query, spelling } = cases[0]!
  if (spelling === 'SEARCH') done.push({ number, query })
  return null
}

/** The request forms of one case: SEARCH always, the others sometimes. All must give the same response. */
function casesOf({ seed, schema }: SchemaTask, model: Model, number: number): Case[] {
  const rng = createRng(seed, schema, number, 1)
  const walk = rng.chance(0.06) ? randomWalk(rng, model) : null
  if (walk !== null) return [{ query: walk, spelling: 'cursor walk' }]
  const query = randomQuery(rng, model)
  const other = rng.weighted<Spelling>([
    [1, 'SEARCH'],
    [1, 'GET JSON'],
    [1, 'GET brackets'],
    [0.1, 'QUERY'],
  ])
  return [{ query, spelling: 'SEARCH' }, ...(other === 'SEARCH' ? [] : [{ query, spelling: other }])]
}

/** Returns null if the response is correct. */
async function check(session: Session, { query, spelling }: Case): Promise<string | null> {
  if (spelling === 'cursor walk') return checkWalk(session, query)
  const request = spell(session.model, query, spelling)
  if (request === null) return null
  return compare(interpret(session.model, query), await send(session, request))
}

function compare(expected: unknown, { status, body }: Reply): string | null {
  return status === 200 ? difference(expected, body) : `status ${status}: ${JSON.stringify(body)?.slice(0, 1000)}`
}

function send(session: Session, request: Request): Promise<Reply> {
  session.requests++
  return session.server.send(request).catch(noReply)
}

function spell(model: Model, query: Query, spelling: Spelling, extra: Record<string, Json> = {}): Request | null {
  const wire = toWire(model, query, extra)
  const path = `/items/${encodeURIComponent(query.collection)}`
  if (spelling === 'SEARCH' || spelling === 'cursor walk') return { method: 'SEARCH', path, body: { query: wire } }
  if (spelling === 'QUERY') return { method: 'QUERY', path, body: { query: wire } }
  const parameters = spelling === 'GET JSON' ? toJsonParameters(wire) : toBrackets(wire)
  if (parameters === null || parameters.length > LONGEST_ADDRESS) return null
  return { method: 'GET', path: `${path}?${parameters}` }
}

/** Reads page by page; together the pages must give the whole list, in order. */
async function checkWalk(session: Session, query: Query): Promise<string | null> {
  const expected = interpret(session.model, { ...query, limit: -1 }).data
  const seen: unknown[] = []
  let cursor: string | null = null
  for (let page = 0; page <= expected.length + 2; page++) {
    const extra: Record<string, Json> = cursor === null ? { meta: 'cursor' } : { meta: 'cursor', cursor }
    const { status, body } = await send(session, spell(session.model, query, 'SEARCH', extra)!)
    if (status !== 200 || !isRecord(body)) return `page ${page}: status ${status}: ${JSON.stringify(body)}`
    const rows = Array.isArray(body['data']) ? body['data'] : []
    if (rows.length > (query.limit ?? 0)) return `page ${page} has ${rows.length} rows`
    seen.push(...rows)
    const next: unknown = isRecord(body['meta']) ? body['meta']['next_cursor'] : undefined
    if (next === null) return difference(expected, seen) ?? checkWalkBack(session, query, body, expected, rows.length)
    if (typeof next !== 'string') return `page ${page}: next_cursor is ${JSON.stringify(next)}`
    cursor = next
  }
  return 'the walk does not end'
}

/** From the last page back to the first; together with it the pages must give the same list. */
async function checkWalkBack(
  session: Session,
  query: Query,
  last: Readonly<Record<string, unknown>>,
  expected: readonly unknown[],
  onLast: number,
): Promise<string | null> {
  const seen: unknown[][] = []
  let page = last
  for (let pages = 0; pages <= expected.length + 2; pages++) {
    const cursor: unknown = isRecord(page['meta']) ? page['meta']['prev_cursor'] : undefined
    if (cursor === null) return difference(expected.slice(0, expected.length - onLast), seen.toReversed().flat())
    if (typeof cursor !== 'string') return `${pages} pages back: prev_cursor is ${JSON.stringify(cursor)}`
    const request = spell(session.model, query, 'SEARCH', { meta: 'cursor', cursor })!
    const { status, body } = await send(session, request)
    if (status !== 200 || !isRecord(body)) return `${pages} pages back: status ${status}: ${JSON.stringify(body)}`
    seen.push(Array.isArray(body['data']) ? body['data'] : [])
    page = body
  }
  return 'the walk back does not end'
}

/** Shrinks the failure to the smallest query that still fails. */
async function describe(session: Session, one: Case, reason: string): Promise<Finding> {
  let [smallest, why] = [one.query, reason]
  let attempts = 0
  for (let isSmaller = true; isSmaller && attempts < SHRINK_ATTEMPTS;) {
    isSmaller = false
    for (const query of smallerQueries(smallest)) {
      if (++attempts > SHRINK_ATTEMPTS) break
      if (one.spelling === 'cursor walk' && query.limit === undefined) continue
      const found = await check(session, { ...one, query }).catch(() => null)
      if (found === null) continue
      ;[smallest, why, isSmaller] = [query, found, true]
      break
    }
  }
  const request = spell(session.model, smallest, one.spelling)
  return {
    spelling: one.spelling,
    reason: session.server.ended() ?? why,
    query: toWire(session.model, smallest),
    collection: smallest.collection,
    expected: interpret(session.model, smallest),
    actual: request === null ? null : (await send(session, request)).body,
  }
}

function collectTexts(session: Session): readonly string[] {
  const texts = session.log.read() ?? []
  session.taint ??= findTaint(texts)
  return texts
}

/** Collects the statements that the service logged during the first round. */
async function settle(session: Session): Promise<void> {
  await sleep(50)
  for (const text of collectTexts(session)) session.texts.add(text)
}

/** Other operands must give the correct response without any new statement. */
async function checkShape(
  session: Session,
  rng: ReturnType<typeof createRng>,
  original: Query,
): Promise<Finding | null> {
  const query = changeOperands(rng, session.model, original)
  const one: Case = { query, spelling: 'SEARCH' }
  const reason = await check(session, one)
  if (reason !== null) return describe(session, one, reason)
  const fresh = collectTexts(session).filter((text) => !session.texts.has(text))
  if (fresh.length === 0) return null
  // An internal statement of the service may have run in between; only repeated ones are due to the operands.
  const first = await textsOf(session, original)
  const second = await textsOf(session, query)
  const grown = second.filter((text) => !first.includes(text) && !session.texts.has(text))
  for (const text of [...fresh, ...first, ...second]) session.texts.add(text)
  if (grown.length === 0) return null
  return {
    spelling: 'statements',
    reason: 'other operands give another statement',
    query: toWire(session.model, query),
    collection: query.collection,
    expected: { query: toWire(session.model, original), statements: first },
    actual: grown,
  }
}

async function textsOf(session: Session, query: Query): Promise<readonly string[]> {
  await sleep(50)
  collectTexts(session)
  await check(session, { query, spelling: 'SEARCH' })
  await sleep(50)
  return collectTexts(session)
}

function taintFailure(text: string): Finding {
  return {
    spelling: 'statements',
    reason: 'an operand stands in the text of a statement',
    query: {},
    collection: '',
    expected: 'operands as parameters only',
    actual: text,
  }
}

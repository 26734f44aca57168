import type { Query, Test } from '../property/ast.ts'
import { createDatabase, databaseUrl, dropDatabase } from '../property/database.ts'
import { difference } from '../property/expected.ts'
import { LEAST } from '../property/gate.ts'
import { tableOf, type Model } from '../property/model.ts'
import { randomQuery } from '../property/query.ts'
import { createRng, type Rng } from '../property/rng.ts'
import { noReply, startServer, type Reply, type Request, type Server } from '../property/server.ts'
import { randomModel } from '../property/session.ts'
import { toBrackets, toJsonParameters, toWire } from '../property/wire.ts'
import { parseDigits } from './exact.ts'
import { readNames, type GraphNames } from './names.ts'
import { NoTwin, render } from './render.ts'

const LONGEST_ADDRESS = 12_000
const WRONG_SHARE = 0.12

export interface ReadFailure {
  readonly schema: number
  readonly case: number
  readonly reason: string
  readonly query: unknown
  readonly document: unknown
}

export interface ReadResult {
  readonly cases: number
  readonly requests: number
  /** Cases that every protocol rejected alike. */
  readonly refused: number
  /** Queries that one of the protocols cannot express. */
  readonly skipped: number
  readonly failures: readonly ReadFailure[]
}

interface Session {
  readonly model: Model
  readonly names: GraphNames
  readonly server: Server
  requests: number
}

/** The content of a response: its rows, or the code of its first error. */
type Said = { readonly data: unknown } | { readonly code: string }

/** One random database, and queries that are sent in all protocols. */
export async function runReads(
  seed: number,
  schema: number,
  cases: readonly number[],
  isOver: () => boolean,
): Promise<ReadResult> {
  const model = randomModel(seed, schema)
  const database = `tain_differential_${process.pid}_${schema}`
  let server: Server | undefined
  const failures: ReadFailure[] = []
  const counts = { cases: 0, refused: 0, skipped: 0 }
  try {
    await createDatabase(database, model)
    const probe = `/items/${encodeURIComponent([...model.tables.keys()][0] ?? '')}?limit=0`
    server = await startServer(databaseUrl(database), null, probe)
    const names = await readNames(server, model.tables.keys())
    const session: Session = { model, names, server, requests: 0 }
    for (const number of cases) {
      if ((counts.cases >= LEAST && isOver()) || failures.length > 0 || server.ended() !== null) break
      const rng = createRng(seed, schema, number, 7)
      const plain = randomQuery(rng, model)
      const query = rng.chance(WRONG_SHARE) ? spoiled(rng, model, plain) : plain
      const found = await compare(session, query)
      counts.cases += 1
      if (found === 'skipped') counts.skipped += 1
      else if (found === 'refused') counts.refused += 1
      else if (found !== 'equal') failures.push({ schema, case: number, ...found })
    }
    return { ...counts, requests: session.requests, failures }
  } finally {
    await server?.stop()
    await dropDatabase(database)
  }
}

type Found = 'equal' | 'refused' | 'skipped' | Omit<ReadFailure, 'schema' | 'case'>

async function compare(session: Session, query: Query): Promise<Found> {
  const { model, names } = session
  const twin = twinOf(model, names, query)
  if (twin === null) return 'skipped'
  const wire = toWire(model, { ...query, counts: false })
  const body = { query: twin.query, variables: twin.variables }
  const address = `/graphql?query=${encodeURIComponent(twin.query)}&variables=${encodeURIComponent(JSON.stringify(twin.variables))}`
  const path = `/items/${encodeURIComponent(query.collection)}`
  const rest = async (request: Request): Promise<Said> => saidByRest(await send(session, request))
  const graph = async (request: Request): Promise<Said> => saidByGraph(await send(session, request), twin.decode)
  const brackets = toBrackets(wire)
  const parameters = brackets !== null && brackets.length <= LONGEST_ADDRESS ? brackets : toJsonParameters(wire)
  const answers: (readonly [string, Said])[] = [
    ['SEARCH', await rest({ method: 'SEARCH', path, body: { query: wire } })],
    ['GraphQL POST', await graph({ method: 'POST', path: '/graphql', body })],
  ]
  if (parameters.length <= LONGEST_ADDRESS)
    answers.push(['GET', await rest({ method: 'GET', path: `${path}?${parameters}` })])
  if (address.length <= LONGEST_ADDRESS) answers.push(['GraphQL GET', await graph({ method: 'GET', path: address })])
  const [first, ...others] = answers
  for (const [spelling, said] of others) {
    const reason = first === undefined ? null : difference(first[1], said)
    if (reason !== null) return { reason: `${spelling}: ${reason}`, query: wire, document: body }
  }
  return first !== undefined && 'code' in first[1] ? 'refused' : 'equal'
}

function twinOf(model: Model, names: GraphNames, query: Query) {
  try {
    return render(model, names, query)
  } catch (error) {
    if (error instanceof NoTwin) return null
    throw error
  }
}

function send(session: Session, request: Request): Promise<Reply> {
  session.requests += 1
  return session.server.send(request).catch(noReply)
}

interface Failed {
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[]
}

const codeIn = (body: unknown): string | undefined => (body as Failed | null)?.errors?.[0]?.extensions?.code

const saidByRest = ({ status, body, text }: Reply): Said =>
  status === 200 ? { data: (body as { data: unknown }).data } : { code: codeIn(body) ?? `status ${status}: ${text}` }

function saidByGraph(
  { status, body, text }: Reply,
  decode: (data: Readonly<Record<string, unknown>>) => unknown,
): Said {
  const code = codeIn(body)
  if (code !== undefined) return { code: code === 'GRAPHQL_VALIDATION' ? text : code }
  if (status !== 200) return { code: `status ${status}: ${text}` }
  const { data } = parseDigits(text) as { data: Readonly<Record<string, unknown>> }
  return { data: decode(data) }
}

/** Makes the query invalid in a way that every protocol can express and none may answer. */
function spoiled(rng: Rng, model: Model, query: Query): Query {
  const columns = tableOf(model, query.collection).columns
  const number = columns.find(({ type }) => type === 'integer')
  const test = (operands: Test['operands'], op: Test['op']): Query => ({
    ...query,
    filter: { kind: 'test', subject: { name: number?.name ?? '' }, op, operands, other: false },
  })
  return rng.weighted<() => Query>([
    [
      query.grouping === undefined ? 1 : 0,
      () => ({ ...query, sort: [{ path: [], subject: { name: 'no_such_field' }, desc: false }] }),
    ],
    [1, () => ({ ...query, limit: -7 })],
    [1, () => ({ ...query, offset: -1 })],
    [number === undefined ? 0 : 1, () => test([1], '_between')],
    [number === undefined ? 0 : 1, () => test([1, 2, 3], '_nbetween')],
    [number === undefined ? 0 : 1, () => test(['abc'], '_eq')],
    [number === undefined ? 0 : 1, () => test(['1x', '2'], '_in')],
  ])()
}

import { createDatabase, databaseUrl, dropDatabase } from '../random/database/create.ts'
import { dialects } from '../random/database/model.ts'
import type { Model, Table } from '../random/database/model.ts'
import { createRng, type Rng } from '../random/rng.ts'
import { startServer, type Reply, type Server } from '../lib/server.ts'
import { randomModel } from '../random/database/random-model.ts'
import { bodyMismatch, describedBy, mismatch, UNDESCRIBED, type Described } from './described.ts'
import { randomRequest, type RandomRequest, type WireRow } from './random-requests.ts'
import { faultsIn } from './validators.ts'

export interface SessionResult {
  readonly documents: number
  readonly compared: number
  /** Requests to addresses that the document of the caller does not have. All of them have to be refused. */
  readonly undescribed: number
  readonly bodies: number
  readonly problems: readonly string[]
}

type Counts = { -readonly [Name in keyof Omit<SessionResult, 'problems'>]: number } & { readonly problems: string[] }

/** Undefined: the administrator; null: the public. */
type Token = string | null | undefined

interface Caller {
  readonly name: string
  readonly token: Token
}

const READER = 'token-of-a-restricted-user'
const callers: readonly Caller[] = [
  { name: 'administrator', token: undefined },
  { name: 'restricted', token: READER },
  { name: 'public', token: null },
]

/** A random database with its service: its documents, and the responses to random requests. */
export async function runSession(seed: number, schema: number, requests: number): Promise<SessionResult> {
  const dialect = dialects[schema % dialects.length]!
  const model = randomModel({ seed, schema, dialect })
  const database = `tain_openapi_${process.pid}_${schema}`
  await createDatabase(database, model)
  try {
    const [first = ''] = model.tables.keys()
    const server = await startServer(
      databaseUrl(dialect, database),
      null,
      `/items/${encodeURIComponent(first)}?limit=0`,
    )
    try {
      return await check(server, model, createRng(seed, schema, 3), requests)
    } finally {
      await server.stop()
    }
  } finally {
    await dropDatabase(dialect, database)
  }
}

async function check(server: Server, model: Model, rng: Rng, requests: number): Promise<SessionResult> {
  const counts: Counts = { documents: 0, compared: 0, undescribed: 0, bodies: 0, problems: [] }
  await restrict(server, model, rng)
  for (const { name, token } of callers) {
    for (const version of ['3.1', '3.2']) {
      const faults = await faultsIn((await documentOf(server, token, version)).text)
      counts.documents += 1
      for (const [validator, found] of Object.entries(faults))
        for (const fault of found) counts.problems.push(`${name}, ${version}, ${validator}: ${fault}`)
    }
    const described = describedBy((await documentOf(server, token, '3.1')).text)
    let rows = await rowsOf(server, model)
    for (let at = 0; at < requests; at += 1) {
      const request = randomRequest({ rng, model, rows })
      const reply = await server.send({ ...request, ...(token === undefined ? {} : { token }) })
      compare(request, reply, described, name, counts)
      if (isWrite(request) && reply.status < 400) rows = await rowsOf(server, model)
    }
  }
  return counts
}

const isWrite = ({ method }: RandomRequest) => ['POST', 'PATCH', 'PUT', 'DELETE'].includes(method)

const documentOf = (server: Server, token: Token, version: string): Promise<Reply> =>
  server.send({
    method: 'GET',
    path: `/server/specs/oas?openapi=${version}`,
    ...(token === undefined ? {} : { token }),
  })

/** The rows of every table, which requests choose from. */
async function rowsOf(server: Server, model: Model): Promise<ReadonlyMap<string, readonly WireRow[]>> {
  const rows = new Map<string, readonly WireRow[]>()
  for (const collection of model.tables.keys()) {
    const { body } = await server.send({ method: 'GET', path: `/items/${encodeURIComponent(collection)}?limit=20` })
    rows.set(collection, (body as { readonly data?: readonly WireRow[] }).data ?? [])
  }
  return rows
}

function compare(request: RandomRequest, reply: Reply, described: Described, caller: string, counts: Counts): void {
  const { method } = request
  const path = request.path.split('?')[0]!
  const say = (why: string) =>
    counts.problems.push(
      `${caller}: ${method} ${request.path} ${JSON.stringify(request.body)?.slice(0, 300) ?? ''}: ${why}   ${reply.text.slice(0, 300)}`,
    )
  if (reply.status >= 500) say(`status ${reply.status}`)
  const why = mismatch({ method, path, ...reply }, described)
  if (why === UNDESCRIBED) {
    counts.undescribed += 1
    if (reply.status < 400) say(`status ${reply.status}, though the document has no such operation`)
    return
  }
  counts.compared += 1
  if (why !== null) say(why)
  // Where nothing is chosen, nothing is looked at.
  if (reply.status >= 300 || request.body === undefined || reply.text === '{"data":[]}') return
  counts.bodies += 1
  const wrong = bodyMismatch(method, path, request.body, described)
  if (wrong !== null) say(wrong)
}

/** A user who may do some things with some fields, and the public, who may read some. */
async function restrict(server: Server, model: Model, rng: Rng): Promise<void> {
  const tables = [...model.tables.values()]
  const own = tables.flatMap((table) =>
    (['read', 'create', 'update', 'delete'] as const)
      .filter(() => rng.chance(0.7))
      .map((action) => ({ collection: table.collection, action, fields: someFields(table, rng), permissions: {} })),
  )
  const policy = await sent(server, 'POST', '/policies', { name: 'restricted', permissions: own })
  await sent(server, 'POST', '/users', {
    email: 'restricted@example.com',
    token: READER,
    policies: [{ policy: policy['id'] }],
  })
  const open = tables
    .filter(() => rng.chance(0.5))
    .map((table) => ({ collection: table.collection, action: 'read', fields: someFields(table, rng), permissions: {} }))
  const anybody = await sent(server, 'POST', '/policies', { name: 'anybody', permissions: open })
  await sent(server, 'POST', '/access', { policy: anybody['id'], role: null, user: null })
}

const someFields = ({ columns }: Table, rng: Rng): readonly string[] =>
  rng.chance(0.4) ? ['*'] : rng.sample(columns, 1, columns.length).map(({ name }) => name)

async function sent(server: Server, method: string, path: string, body: unknown): Promise<WireRow> {
  const { status, body: answer, text } = await server.send({ method, path, body })
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
  return (answer as { readonly data: WireRow }).data
}

// npm run verify graphql-scale
// 5,000 tables and 50 permission sets: the first response for each, memory, and introspection of the whole schema
// alongside other requests.
import { setTimeout as sleep } from 'node:timers/promises'
import { getIntrospectionQuery } from 'graphql'
import { withDatabase } from '../lib/databases.ts'
import { fill, schemaOf } from './scale-tables.ts'
import {
  memoryOf,
  median,
  processorTime,
  TOKEN,
  untilReady,
  withService,
  type Figure,
  type Service,
} from './service.ts'

export interface GraphqlScaleOptions {
  readonly tables: number
  readonly callers: number
  /** Tables that each permission set may read. */
  readonly granted: number
}

interface Reply {
  readonly text: string
  readonly milliseconds: number
}

async function post(service: Service, path: string, body: unknown, token: string): Promise<Reply> {
  const start = performance.now()
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
  return { text, milliseconds: performance.now() - start }
}

const collection = (number: number) => `${schemaOf('postgres', number)}table_${number}`
const nameOf = (number: number) => collection(number).replace('.', '_')

/** Tables of one permission set: some shared by all, and some specific to it. */
const tablesOf = (caller: number, { tables, granted }: GraphqlScaleOptions) => [
  ...new Set([3, 5, 7, ...Array.from({ length: granted }, (_, index) => ((caller * 97 + index * 13) % tables) + 1)]),
]

/** Creates a unique policy and a user who has it. */
async function addCaller(service: Service, caller: number, options: GraphqlScaleOptions): Promise<string> {
  const permissions = tablesOf(caller, options).map((number, index) => ({
    collection: collection(number),
    action: index % 10 === 9 ? 'update' : 'read',
    fields: index % 3 === 0 ? ['*'] : ['id', 'name', 'parent_id', caller % 2 === 0 ? 'code' : 'amount'],
    permissions: index % 5 === 4 ? { flag: { _eq: false } } : {},
  }))
  const policy = JSON.parse(
    (await post(service, '/policies', { name: `kind ${caller}`, permissions }, TOKEN)).text,
  ) as {
    data: { id: string }
  }
  const token = `caller-token-${caller}`
  const user = { email: `caller${caller}@example.com`, token, status: 'active', policies: [{ policy: policy.data.id }] }
  await post(service, '/users', user, TOKEN)
  return token
}

const threeTables = {
  query: `query Q($limit: Int) {
    a: ${nameOf(3)}(limit: $limit, sort: ["-id"]) { id name }
    b: ${nameOf(5)}(limit: $limit, filter: { name: { _contains: "1" } }) { id name }
    c: ${nameOf(7)}(limit: $limit) { id }
  }`,
  variables: { limit: 5 },
}

async function firstAnswers(service: Service, tokens: readonly string[]): Promise<readonly number[]> {
  const times: number[] = []
  for (const token of tokens) {
    // Authenticates the caller first, so that only the schema is measured.
    await fetch(`${service.url}/items/${collection(3)}?limit=1`, { headers: { authorization: `Bearer ${token}` } })
    times.push((await post(service, '/graphql', threeTables, token)).milliseconds)
  }
  return times
}

/** The longest time that small requests wait while the work runs. */
async function longestWait(service: Service, work: Promise<unknown>): Promise<{ longest: number; count: number }> {
  const state = { isOver: false }
  const finish = () => {
    state.isOver = true
  }
  work.then(finish, finish)
  let longest = 0
  let count = 0
  while (!state.isOver) {
    const start = performance.now()
    await fetch(`${service.url}/server/ping`).then((answer) => answer.text())
    longest = Math.max(longest, performance.now() - start)
    count += 1
    await sleep(5)
  }
  await work
  return { longest, count }
}

/** Reads a response without storing it. */
async function drain(service: Service, path: string, body: unknown): Promise<{ seconds: number; megabytes: number }> {
  const start = performance.now()
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  let bytes = 0
  for await (const chunk of answer.body ?? []) bytes += (chunk as Uint8Array).byteLength
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return { seconds: (performance.now() - start) / 1000, megabytes: bytes / 1024 ** 2 }
}

export async function graphqlScale(options: GraphqlScaleOptions): Promise<readonly Figure[]> {
  return withDatabase(async (database) => {
    const { url } = database
    await fill(database, options.tables)
    return withService({ DATABASE_URL: url, MAX_PAYLOAD_SIZE: '5mb' }, async (service) => {
      await untilReady(service)
      const tokens: string[] = []
      for (let caller = 1; caller <= options.callers; caller += 1)
        tokens.push(await addCaller(service, caller, options))
      const ready = memoryOf(service)
      const times = await firstAnswers(service, tokens)
      const after = memoryOf(service)
      const idle = await longestWait(service, sleep(2000))
      const processor = processorTime(service)
      const whole = drain(service, '/graphql', { query: getIntrospectionQuery() })
      const busy = await longestWait(service, whole)
      const { seconds, megabytes } = await whole
      const what = `${options.tables} tables`
      return [
        { what: `${what}: first answer for a new kind of caller, median`, value: median(times), unit: 'ms' },
        {
          what: `${what}: first answer for a new kind of caller, longest of ${options.callers}`,
          value: Math.max(...times),
          unit: 'ms',
          bound: { atMost: 300 },
        },
        { what: `${what}: RSS before`, value: ready.rss, unit: 'MB' },
        {
          what: `${what}: RSS after ${options.callers} kinds of callers`,
          value: after.rss,
          unit: 'MB',
          bound: { atMost: 600 },
        },
        { what: `${what}: whole introspection`, value: seconds, unit: 's', bound: { atMost: 10 } },
        { what: `${what}: whole introspection, processor time`, value: processorTime(service) - processor, unit: 's' },
        { what: `${what}: size of its answer`, value: megabytes, unit: 'MB' },
        { what: `longest of ${idle.count} other requests while nothing else goes on`, value: idle.longest, unit: 'ms' },
        {
          what: `longest of ${busy.count} other requests meanwhile`,
          value: busy.longest,
          unit: 'ms',
          bound: { atMost: 250 },
        },
        { what: `${what}: peak RSS`, value: memoryOf(service).peak, unit: 'MB' },
      ]
    })
  })
}

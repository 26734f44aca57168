// npm run verify graphql-limits
// Documents made to be expensive are refused at once, the largest accepted ones are cheap, and none breaks anything.
import { administrator } from '../../packages/server/src/access/actor.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { createGraphql, type GraphqlOptions } from '../../packages/server/src/graphql/endpoint.ts'
import { createRng, type Rng } from '../random/rng.ts'
import { createDatabase } from '../lib/databases.ts'
import { library } from '../../packages/server/src/testing/schema.ts'
import { loadFixture, registerRelations } from '../service/fixture.ts'
import { startService } from '../lib/service.ts'
import { bombs, largest, type Bomb } from './graphql-bombs.ts'
import type { Figure } from './service.ts'

export interface LimitsOptions {
  readonly documents: number
  readonly seed: number
}

const REPEATS = 7

/** The endpoint over a handwritten schema: measures everything before the database. */
function endpoint() {
  const cost = { entries: 2000, conditions: 1000, values: 50_000, nodes: 5000, joins: 1000, rows: 10_000_000_000 }
  const limits = { limitDefault: 100, limitMax: null, depth: 10, jsonDepth: 10, listLength: 10_000, cost }
  const engine = {
    schema: () => library,
    renew: async (actor: unknown) => actor,
    list: async () => ({ rows: [], meta: null }),
  }
  const services = { engine, metadata: null, system: { systemCollections: [] }, procedures: {} }
  return createGraphql({
    config: readConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1/none' }),
    limits,
    responseSize: 128 * 1024 ** 2,
    hasSubscriptions: false,
    services: services as unknown as GraphqlOptions['services'],
    onUnexpected: (error) => {
      throw error instanceof Error ? error : new Error(String(error))
    },
  })
}

type Outcome = { readonly isRefused: boolean; readonly milliseconds: number }

/** Processor time of one call. Each document text is unique, so that no cache applies. */
async function cost(
  run: ReturnType<typeof endpoint>['run'],
  { query, variables }: Bomb,
  serial: number,
): Promise<Outcome> {
  const before = process.cpuUsage()
  const call = {
    scope: 'items',
    isSafe: false,
    isViewed: false,
    isExplained: false,
    query: `${query} #${serial}`,
    variables,
    operationName: undefined,
    extensions: undefined,
    actor: administrator,
    origin: { ip: null, userAgent: null },
    visitor: {
      context: () => nobody(),
      checkOrigin: () => undefined,
      signedIn: () => undefined,
      signedOut: () => undefined,
      keepSecret: () => undefined,
    },
    isDryRun: false,
    signal: new AbortController().signal,
  } as const
  let isRefused = false
  try {
    const reply = await run(call)
    isRefused = typeof reply === 'string' && reply.startsWith('{"errors"')
  } catch {
    isRefused = true
  }
  const { user, system } = process.cpuUsage(before)
  return { isRefused, milliseconds: (user + system) / 1000 }
}

const nobody = (): never => {
  throw new Error('nobody signs in here')
}

/** The minimum of several runs, because other work on the machine only adds to the time. */
async function least(run: ReturnType<typeof endpoint>['run'], bomb: Bomb): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (let repeat = 0; repeat < REPEATS; repeat += 1) outcomes.push(await cost(run, bomb, repeat))
  return {
    isRefused: outcomes.every(({ isRefused }) => isRefused),
    milliseconds: Math.min(...outcomes.map((each) => each.milliseconds)),
  }
}

async function timings(): Promise<readonly Figure[]> {
  const { run } = endpoint()
  for (const bomb of [...bombs, ...largest]) await cost(run, bomb, -1)
  const figures: Figure[] = []
  let longest = 0
  for (const bomb of bombs) {
    const { isRefused, milliseconds } = await least(run, bomb)
    if (!isRefused) figures.push({ what: `let through: ${bomb.what}`, value: 1, unit: '', bound: { atMost: 0 } })
    longest = Math.max(longest, milliseconds)
    if (milliseconds > 10)
      figures.push({ what: `refused late: ${bomb.what}`, value: milliseconds, unit: 'ms', bound: { atMost: 10 } })
  }
  figures.push({
    what: `${bombs.length} bombs: longest until refused`,
    value: longest,
    unit: 'ms',
    bound: { atMost: 10 },
  })
  for (const document of largest) {
    const { isRefused, milliseconds } = await least(run, document)
    if (isRefused) figures.push({ what: `refused: ${document.what}`, value: 1, unit: '', bound: { atMost: 0 } })
    figures.push({ what: `largest document: ${document.what}`, value: milliseconds, unit: 'ms', bound: { atMost: 50 } })
  }
  return figures
}

const seeds = [
  '{ articles(filter: { _or: [{ status: { _eq: "archived" } }, { author: { country: { _eq: "AR" } } }] }, sort: ["id"]) { id title author { name } } }',
  'query Q($id: ID!, $all: Boolean!) { articles_by_id(id: $id) { ...base slug @include(if: $all) } } fragment base on articles { title comments(limit: 2) { id body } }',
  '{ pages_by_id(id: 1) { blocks { collection item { __typename ... on blocks_hero { headline } ... on blocks_text { content } } } } }',
  '{ articles_aggregated(groupBy: ["status"], filter: { score: { _nnull: true } }) { group countAll sum { score } min { event_date } } }',
  '{ articles { published_func { year month } comments_func { count } details_func { json(path: "level") } author_key } site { title } }',
  'mutation { update_tags_item(id: 1, data: { color: "gold" }) { name color } }',
  'mutation M($data: create_articles_input!) { create_articles_item(data: $data) { title score } }',
  'mutation { update_articles_item(id: 1, data: { comments_changes: { create: [{ body: "new" }], update: [{ id: 1, likes: 6 }], delete: [2] } }) { comments { id } } }',
  'mutation { delete_tags_by_query(filter: { color: { _eq: "nothing" } }, limit: 1) { ids } }',
  '{ __schema { queryType { name } } __type(name: "articles") { fields { name type { name ofType { name } } } } }',
]

const tokens = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ':',
  '!',
  '$',
  '@',
  '...',
  '"',
  '"""',
  'on',
  'null',
  'true',
  '-1',
  '1e999',
  '9'.repeat(40),
  'id',
  'articles',
  '__typename',
  '__proto__',
  'constructor',
  '_and',
  '_some',
  '$id',
  'fragment',
  'mutation',
  'query',
  '\u0000',
  '\u{1F600}',
  '\\u0000',
  '#',
  ',',
]

/** A document with a few of its tokens changed. */
function mutated(rng: Rng): string {
  const parts = (rng.pick(seeds).match(/"[^"]*"|\.\.\.|[\w$@]+|\S/gu) ?? []).slice()
  const changes = rng.int(0, 4)
  for (let change = 0; change < changes; change += 1) {
    const at = rng.int(0, parts.length - 1)
    rng.weighted<() => void>([
      [3, () => void parts.splice(at, 1)],
      [3, () => void parts.splice(at, 0, rng.pick(tokens))],
      [3, () => void (parts[at] = rng.pick(tokens))],
      [1, () => void parts.splice(at, 0, ...parts.slice(at, at + rng.int(1, 12)))],
      [1, () => void ([parts[at], parts[0]] = [parts[0] ?? '', parts[at] ?? ''])],
      [1, () => void (parts[at] = rng.pick(parts))],
    ])()
  }
  return parts.join(' ')
}

const values = [
  1,
  '1',
  null,
  true,
  {},
  [],
  { a: 1 },
  'x'.repeat(1000),
  -1,
  1e308,
  { title: 'T', views: '1' },
  { __proto__: 1 },
]

/** Status codes of many broken documents, and whether the service survives them. */
async function mutants({ documents, seed }: LimitsOptions): Promise<readonly Figure[]> {
  const database = await createDatabase()
  try {
    await loadFixture(database)
    const service = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' })
    try {
      await registerRelations(service)
      const statuses = new Map<number, number>()
      let internal = 0
      const work = async (first: number) => {
        for (let number = first; number < documents; number += 4) {
          const rng = createRng(seed, number)
          const body = {
            query: mutated(rng),
            variables: rng.chance(0.5)
              ? { id: 1, all: true, data: { title: 'T', views: '1' } }
              : { id: rng.pick(values), all: rng.pick(values), data: rng.pick(values) },
            ...(rng.chance(0.05) ? { operationName: rng.pick(values) } : {}),
          }
          const { status, text } = await service.send('POST', rng.chance(0.1) ? '/graphql/system' : '/graphql', body)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (text.includes('INTERNAL_SERVER_ERROR')) {
            internal += 1
            console.error(`seed ${seed} document ${number}: ${JSON.stringify(body)} → ${text.slice(0, 300)}`)
          }
        }
      }
      await Promise.all([0, 1, 2, 3].map(work))
      const failed = [...statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0)
      console.log(`seed ${seed}: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
      const alive = await service.get('/server/ping')
      return [
        { what: `${documents} changed documents: status 5xx`, value: failed, unit: '', bound: { atMost: 0 } },
        { what: `${documents} changed documents: unexpected errors`, value: internal, unit: '', bound: { atMost: 0 } },
        { what: 'the service still answers', value: alive.status, unit: '', bound: { atMost: 200 } },
      ]
    } finally {
      await service.stop()
    }
  } finally {
    await database.drop()
  }
}

export const graphqlLimits = async (options: LimitsOptions): Promise<readonly Figure[]> => [
  ...(await timings()),
  ...(await mutants(options)),
]

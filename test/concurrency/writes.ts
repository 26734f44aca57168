// npm run verify concurrency: many clients write the same rows. Each race is a function that counts forbidden outcomes.
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { connect, type TestConnection } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { prepare } from '../crash/fixture.ts'
import { send, startServer, type Reply, type Server } from '../crash/server.ts'
import { interleave } from './interleavings.ts'

export interface Stage {
  readonly cluster: Cluster
  readonly database: TestConnection
  readonly servers: readonly Server[]
}

/** A database with the fixture and the given number of replicas. */
export async function withStage<T>(replicas: number, work: (stage: Stage) => Promise<T>): Promise<T> {
  const cluster = await startCluster({ max_connections: '100', log_min_messages: 'error' })
  const servers: Server[] = []
  try {
    await prepare(cluster.url)
    for (let replica = 0; replica < replicas; replica += 1)
      servers.push(await startServer({ DATABASE_URL: cluster.url, LOG_LEVEL: 'error', DB_LOCK_TIMEOUT: '10000' }))
    const database = await connect(cluster.url)
    try {
      return await work({ cluster, database, servers })
    } finally {
      await database.close()
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
    await cluster.destroy()
  }
}

const serverOf = ({ servers }: Stage, index: number): string => servers[index % servers.length]?.url ?? ''

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

const describe = ({ status, text }: Reply) => `${status} ${text.slice(0, 200)}`

export interface DeadlockResult {
  readonly requests: number
  readonly failures: readonly string[]
  /** Deadlocks that PostgreSQL detected and resolved; the service retries, so clients do not see them. */
  readonly broken: number
}

/** Two parents and their children, in opposite orders by neighbouring clients and from either side of the relation. */
export async function raceForLocks(stage: Stage, clients: number, rounds: number): Promise<DeadlockResult> {
  const failures: string[] = []
  const [children] = await stage.database.query(
    `select json_agg(id order by id) from comments where article is not null`,
  )
  const ids = JSON.parse(children?.[0] ?? '[]') as number[]
  const before = await deadlocks(stage)
  let requests = 0
  const once = async (client: number, round: number) => {
    const isReversed = (client + round) % 2 === 1
    const turned = <T>(list: readonly T[]) => (isReversed ? list.toReversed() : [...list])
    const mark = `${client} ${round}`
    const half = Math.ceil(ids.length / 2)
    const parents = [
      { id: 1, title: mark, comments: { update: turned(ids.slice(0, half)).map((id) => ({ id, body: mark })) } },
      { id: 2, title: mark, comments: { update: turned(ids.slice(half)).map((id) => ({ id, body: mark })) } },
    ]
    const fromChildren = turned(ids).map((id, index) => ({
      id,
      body: mark,
      article: { id: 1 + (index % 2), title: mark, author: { id: 1 + (index % 2), name: mark } },
    }))
    const reply =
      client % 4 < 2
        ? await send(serverOf(stage, client), 'PATCH', '/items/articles?fields=id', turned(parents))
        : await send(serverOf(stage, client), 'PATCH', '/items/comments?fields=id', fromChildren)
    requests += 1
    if (reply.status !== 200) failures.push(describe(reply))
  }
  const client = async (index: number) => {
    for (const round of times(rounds)) await once(index, round)
  }
  await Promise.all(times(clients).map(client))
  return { requests, failures, broken: (await deadlocks(stage)) - before }
}

async function deadlocks({ database }: Stage): Promise<number> {
  const [row] = await database.query(
    `select pg_stat_clear_snapshot(), deadlocks from pg_stat_database where datname = current_database()`,
  )
  return Number(row?.[1])
}

export interface MatchResult {
  readonly rounds: number
  /** Rounds in which the number of successful clients was not exactly one. */
  readonly wrong: readonly string[]
  readonly odd: readonly string[]
}

/** All clients have read the same row version and update the row; one may succeed. */
export async function raceForVersion(stage: Stage, clients: number, rounds: number): Promise<MatchResult> {
  const wrong: string[] = []
  const odd: string[] = []
  for (const round of times(rounds)) {
    const seen = (await send(serverOf(stage, round), 'GET', '/items/articles/1?fields=title')).headers.get('etag') ?? ''
    const replies = await Promise.all(
      times(clients).map((client) =>
        send(
          serverOf(stage, client),
          'PATCH',
          '/items/articles/1?fields=title',
          { title: `${round} ${client}` },
          { 'if-match': seen },
        ),
      ),
    )
    const winners = replies.flatMap(({ status }, client) => (status === 200 ? [`${round} ${client}`] : []))
    odd.push(...replies.filter(({ status }) => status !== 200 && status !== 412).map(describe))
    const [row] = await stage.database.query('select title from articles where id = 1')
    if (winners.length !== 1 || row?.[0] !== winners[0]) wrong.push(`round ${round}: ${winners.length} winners`)
  }
  return { rounds, wrong, odd }
}

export interface RepetitionResult {
  readonly rounds: number
  readonly wrong: readonly string[]
}

/** Sends the same request with the same Idempotency-Key many times at once, to all replicas. */
export async function raceForKey(stage: Stage, copies: number, rounds: number): Promise<RepetitionResult> {
  const wrong: string[] = []
  for (const round of times(rounds)) {
    const title = `once ${round}`
    const body = { title, author: { name: title }, comments: [{ body: title }] }
    const replies = await Promise.all(
      times(copies).map((copy) =>
        send(serverOf(stage, copy), 'POST', '/items/articles?fields=id,title', body, { 'idempotency-key': title }),
      ),
    )
    const answers = new Set(replies.map(({ status, text, headers }) => `${status} ${text} ${headers.get('etag')}`))
    const replayed = replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length
    const [row] = await stage.database.query({
      text: `select (select count(*) from articles where title = $1), (select count(*) from authors where name = $1),
        (select count(*) from comments where body = $1)`,
      values: [title],
    })
    const isRight = answers.size === 1 && [...answers][0]?.startsWith('200 ') && replayed === copies - 1
    if (!isRight || row?.join() !== '1,1,1')
      wrong.push(`round ${round}: rows ${row?.join()}, replayed ${replayed}, ${[...answers].join(' | ')}`)
  }
  return { rounds, wrong }
}

/** All clients upsert the same new row; one creates it and the others find it. */
export async function raceToUpsert(stage: Stage, clients: number, rounds: number): Promise<RepetitionResult> {
  const wrong: string[] = []
  for (const round of times(rounds)) {
    const replies = await Promise.all(
      times(clients).map((client) =>
        client % 4 < 2
          ? send(serverOf(stage, client), 'PUT', '/items/articles?on_conflict=slug', {
              slug: `upsert ${round}`,
              title: `${client}`,
            })
          : send(serverOf(stage, client), 'PUT', `/items/proses/upsert-${round}`, { content: `${client}` }),
      ),
    )
    wrong.push(...replies.filter(({ status }) => status !== 200).map(describe))
  }
  return { rounds, wrong }
}

const none = { atMost: 0 }

interface Sizes {
  readonly updates: number
  readonly versions: number
  readonly keys: number
  readonly upserts: number
  readonly interleavings: number
}

/** How often each race is run; `updates` are those of each client. */
export async function figures(sizes: Sizes): Promise<Figure[]> {
  return withStage(2, async (stage) => {
    const locks = await raceForLocks(stage, 8, sizes.updates)
    const versions = await raceForVersion(stage, 32, sizes.versions)
    const keys = await raceForKey(stage, 10, sizes.keys)
    const upserts = await raceToUpsert(stage, 8, sizes.upserts)
    const orders = await interleave(stage, sizes.interleavings)
    for (const text of [
      ...locks.failures,
      ...versions.wrong,
      ...versions.odd,
      ...keys.wrong,
      ...upserts.wrong,
      ...orders.wrong,
    ])
      console.log(text)
    return [
      {
        what: 'opposite-order updates by 8 clients on 2 replicas',
        value: locks.requests,
        unit: '',
        bound: { atLeast: 8 * sizes.updates },
      },
      { what: 'deadlocks or other failures seen by clients', value: locks.failures.length, unit: '', bound: none },
      { what: 'deadlocks broken by PostgreSQL and repeated by the service', value: locks.broken, unit: '' },
      { what: 'If-Match rounds with 32 clients', value: versions.rounds, unit: '' },
      { what: 'rounds without exactly one success', value: versions.wrong.length, unit: '', bound: none },
      { what: 'answers other than 200 and 412', value: versions.odd.length, unit: '', bound: none },
      { what: 'Idempotency-Key rounds, 10 copies on 2 replicas', value: keys.rounds, unit: '' },
      { what: 'rounds without one row and equal answers', value: keys.wrong.length, unit: '', bound: none },
      { what: 'upserts of one new row by 8 clients, rounds', value: upserts.rounds, unit: '' },
      { what: 'upserts that were refused', value: upserts.wrong.length, unit: '', bound: none },
      { what: 'forced interleavings', value: orders.interleavings, unit: '', bound: { atLeast: sizes.interleavings } },
      { what: 'lost or wrong outcomes', value: orders.wrong.length, unit: '', bound: none },
    ]
  })
}

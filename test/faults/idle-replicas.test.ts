import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { connect } from '../lib/databases.ts'
import { until, type ServiceProcess } from '../lib/service.ts'
import { createTables, startReplicas } from './idle-replicas.ts'

const REPLICAS = 3
const SECONDS = 8
/** Polls may come a tenth early. */
const MOST_POLLS = SECONDS * 1.2 + 1

let cluster: Cluster
const replicas: ServiceProcess[] = []

beforeAll(async () => {
  cluster = await startCluster({ log_statement: 'all', log_line_prefix: 'session=%p,%a:' })
  const { query, close } = await connect(cluster.url)
  await createTables(query, 50)
  await close()
  await startReplicas(REPLICAS, { DATABASE_URL: cluster.url, LOG_LEVEL: 'error' }, replicas)
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  await cluster.destroy()
})

/** The statements that the service has sent since a place in the log, by session. */
async function statementsSince(place: number): Promise<ReadonlyMap<string, readonly string[]>> {
  const sessions = new Map<string, string[]>()
  const lines = (await cluster.log())
    .slice(place)
    .matchAll(/^session=(\d+),tain:\s*LOG:\s+(?:execute|statement)[^:]*: (.*)/gmu)
  for (const [, session = '', text = ''] of lines) {
    const known = sessions.get(session)
    if (known === undefined) sessions.set(session, [text])
    else known.push(text)
  }
  return sessions
}

test('of three idle replicas one asks for the fingerprint, and the others send one small statement a second', async () => {
  // Until the first version is announced and read by all.
  await sleep(4000)
  const place = (await cluster.log()).length
  await sleep(SECONDS * 1000)
  const sessions = [...(await statementsSince(place)).values()]
  expect(sessions).toHaveLength(REPLICAS)
  const followers = sessions.filter((sent) => sent.every((text) => text.includes('"service_version"')))
  expect(followers).toHaveLength(REPLICAS - 1)
  for (const sent of followers) {
    expect(sent.length).toBeGreaterThan(1)
    expect(sent.length).toBeLessThanOrEqual(MOST_POLLS)
  }
  const watcher = sessions.find((sent) => !followers.includes(sent)) ?? []
  // The version, the fingerprint, and at every second poll a transaction of three statements.
  expect(watcher.length).toBeLessThanOrEqual(MOST_POLLS * 3.5)
})

test('a table that others create is served by all of them', async () => {
  const { query, close } = await connect(cluster.url)
  await query('create table late (id integer primary key)')
  await close()
  for (const replica of replicas)
    expect(
      await until(async () => (await replica.get('/items/late')).status === 200, 20, `late on ${replica.url}`),
    ).toBeLessThan(20_000)
})

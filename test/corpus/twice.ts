// Sends the same requests twice, with new tables created in between: no response may change.
import type { TestDatabase } from '../lib/databases.ts'
import { until } from '../lib/service.ts'
import { checks, type CheckName } from './checks/index.ts'
import { rowsOf, type Client, type Reply } from './client.ts'
import { withSession, type Crawl, type Difference, type Recorder } from './crawl.ts'
import type { CorpusDatabase } from './databases.ts'
import { canonical } from './model.ts'
import { newcomersOf } from './newcomers.ts'
import { openSession, type Session } from './session.ts'

export const TWICE = 'twice'

/** Together they read every collection and follow every relation, in REST and in GraphQL. */
const repeated: readonly CheckName[] = ['values', 'nested', 'to-one', 'to-many', 'many-to-many', 'graphql']

const lists = ['/collections', '/fields', '/relations']

/** A client that records successful responses. */
function remembering(client: Client, replies: Reply[]): Client {
  const send: Client['send'] = async (call) => {
    const reply = await client.send(call)
    if (reply.status === 200) replies.push(reply)
    return reply
  }
  return {
    send,
    search: (collection, query) =>
      send({ method: 'SEARCH', path: `/items/${encodeURIComponent(collection)}`, body: { query } }),
    count: client.count,
  }
}

const isIntrospection = ({ call }: Reply) => call.path === '/graphql' && JSON.stringify(call.body).includes('__schema')

/** Entries of the new tables and of their relations may be added; all other entries must stay the same. */
async function compareLists(session: Session, before: ReadonlyMap<string, Reply>): Promise<void> {
  for (const [path, first] of before) {
    session.checked()
    const call = { method: 'GET', path }
    const now = new Set(rowsOf(await session.client.send(call)).map(canonical))
    const gone = rowsOf(first)
      .map(canonical)
      .filter((line) => !now.has(line))
    if (gone.length > 0) session.differ(path, 'is listed in another way', { expected: gone.slice(0, 5), call })
  }
}

export async function crawlTwice(corpus: CorpusDatabase, database: TestDatabase, seed: number): Promise<Crawl> {
  const differences: Difference[] = []
  let comparisons = 0
  const record: Recorder = {
    difference: (difference) => void (difference.check === TWICE && differences.push(difference)),
    comparison: () => {
      comparisons += 1
    },
    // The differences that the checks find are irrelevant here.
    check: () => current,
    seed,
  }
  let current: string = 'first'
  return withSession(corpus, database, record, async (session) => {
    const began = performance.now()
    const replies: Reply[] = []
    const client = remembering(session.client, replies)
    const watched = await openSession({ ...session, client })
    replies.length = 0
    for (const name of repeated) await checks[name](watched)
    const before = new Map<string, Reply>()
    for (const path of lists) before.set(path, await session.client.send({ method: 'GET', path }))
    const { statements, collection } = newcomersOf(session)
    await session.plain.execute(statements)
    const isNoticed = async () =>
      rowsOf(await session.client.send({ method: 'GET', path: '/collections' })).some(
        (row) => row['collection'] === collection,
      )
    await until(isNoticed, 20, `${collection} is served`)
    current = TWICE
    comparisons = 0
    for (const reply of replies.filter((each) => !isIntrospection(each))) {
      session.checked()
      const again = await session.client.send(reply.call)
      if (again.text !== reply.text)
        session.differ(`${reply.call.method} ${reply.call.path}`, 'another answer after newcomers came', {
          expected: reply.text,
          got: again.text,
          call: reply.call,
        })
    }
    await compareLists(session, before)
    const tallies = [{ check: TWICE, comparisons, seconds: (performance.now() - began) / 1000 }]
    return { database: corpus.name, tallies, differences, requests: session.client.count() }
  })
}

// Two sessions in an order that the test controls: each step waits until the database reports that the other session
// waits.
import { connect, type TestConnection } from '../lib/databases.ts'
import { send, type Reply } from '../crash/server.ts'
import type { Stage } from './writes.ts'

export interface InterleavingResult {
  readonly interleavings: number
  readonly wrong: readonly string[]
}

/** A session of the test, with the pid to check which sessions block each other. */
interface Rival {
  readonly pid: string
  readonly query: TestConnection['query']
}

interface Setting {
  readonly url: string
  readonly watcher: TestConnection
  readonly rival: Rival
  /** A second session that holds a lock the request has to wait for. */
  readonly gate: Rival
  /** Rows that only this round uses. */
  readonly article: string
  readonly comment: string
}

/** Returns a description of a wrong outcome, or null. */
interface Interleaving {
  readonly name: string
  readonly run: (setting: Setting) => Promise<string | null>
}

/** Resolves once a session waits for a lock of this pid. There is no other way to know that it has got this far. */
async function untilBlockedBy(pid: string, { query }: TestConnection, work: Promise<unknown>): Promise<void> {
  const blocked = { text: 'select count(*) from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', values: [pid] }
  const state = { isOver: false }
  const end = () => {
    state.isOver = true
  }
  work.then(end, end)
  for (;;) {
    const [row] = await query(blocked)
    if (row?.[0] !== '0') return
    if (state.isOver) throw new Error('it ended without waiting for the lock')
  }
}

const patch = (url: string, path: string, body: object, headers = {}) =>
  send(url, 'PATCH', `${path}?fields=id`, body, headers)

/** The rival changes the row first and commits while the request waits for it: the request has to see the change. */
const rivalFirst = (
  name: string,
  change: (setting: Setting) => string,
  request: (setting: Setting) => Promise<Reply>,
  check: (reply: Reply, setting: Setting) => Promise<string | null>,
): Interleaving => ({
  name,
  async run(setting) {
    const { rival, watcher } = setting
    await rival.query(`begin; ${change(setting)}`)
    const asked = request(setting)
    await untilBlockedBy(rival.pid, watcher, asked)
    await rival.query('commit')
    return check(await asked, setting)
  },
})

const one = async ({ query }: TestConnection, text: string): Promise<string> => (await query(text))[0]?.join() ?? 'none'

const expectStatus = ({ status, text }: Reply, expected: number): string | null =>
  status === expected ? null : `expected ${expected}, got ${status} ${text}`

/** A refused request must leave no changes. */
async function expectRefused(reply: Reply, expected: number, { watcher, article }: Setting): Promise<string | null> {
  const title = await one(watcher, `select title from articles where id = ${article}`)
  return expectStatus(reply, expected) ?? (title.startsWith('request') ? `refused, but the title is ${title}` : null)
}

const nested = ({ url, article, comment }: Setting) =>
  patch(url, `/items/articles/${article}`, {
    title: 'request',
    comments: { update: [{ id: comment, body: 'request' }], create: [], delete: [] },
  })

const interleavings: readonly Interleaving[] = [
  rivalFirst(
    'a nested update of a child that is being deleted',
    ({ comment }) => `delete from comments where id = ${comment}`,
    nested,
    (reply, setting) => expectRefused(reply, 403, setting),
  ),
  rivalFirst(
    'a nested update of a child that is being taken to another parent',
    ({ comment }) => `update comments set article = 2, body = 'rival' where id = ${comment}`,
    nested,
    // The request sets the parent of the child and runs last: it wins, and must not lose the parent to a stale read.
    async (reply, { watcher, article, comment }) => {
      const row = await one(watcher, `select article, body from comments where id = ${comment}`)
      return expectStatus(reply, 200) ?? (row === `${article},request` ? null : `the child is ${row}`)
    },
  ),
  rivalFirst(
    'removing a child by name that is being taken to another parent',
    ({ comment }) => `update comments set article = 2, body = 'rival' where id = ${comment}`,
    ({ url, article, comment }) =>
      patch(url, `/items/articles/${article}`, { title: 'request', comments: { delete: [comment] } }),
    // The child now belongs to the other parent, and this request must not remove it.
    async (reply, { watcher, comment }) => {
      const row = await one(watcher, `select article, body from comments where id = ${comment}`)
      return expectStatus(reply, 200) ?? (row === '2,rival' ? null : `the child is ${row}`)
    },
  ),
  rivalFirst(
    'an update under If-Match of a row that is being changed',
    ({ article }) => `update articles set title = 'rival' where id = ${article}`,
    ({ url, article }) => matching(url, article),
    (reply, setting) => expectRefused(reply, 412, setting),
  ),
  rivalFirst(
    'an update of a row that is being deleted',
    ({ article }) => `delete from articles where id = ${article}`,
    ({ url, article }) => patch(url, `/items/articles/${article}`, { title: 'request' }),
    (reply, setting) => expectRefused(reply, 403, setting),
  ),
  rivalFirst(
    'linking a parent that is being deleted',
    ({ article }) => `delete from articles where id = ${article}`,
    ({ url, article }) => patch(url, '/items/comments/4', { body: 'request', article: { id: article } }),
    async (reply, { watcher }) => {
      const body = await one(watcher, 'select body from comments where id = 4')
      return expectStatus(reply, 403) ?? (body === 'request' ? 'refused, but written' : null)
    },
  ),
  {
    name: 'a child deleted while a request that has locked it goes on',
    async run(setting) {
      const { watcher, rival, gate, comment, article } = setting
      // The gate locks the table that the request needs last, so the request stops with all other work done and locked.
      await gate.query('begin; lock table tain.service_activity in share mode')
      const asked = nested(setting)
      await untilBlockedBy(gate.pid, watcher, asked)
      const deleted = rival.query(`delete from comments where id = ${comment} and article = ${article} returning body`)
      await untilWaiting(rival.pid, watcher)
      await gate.query('commit')
      const reply = await asked
      const [row] = await deleted
      return expectStatus(reply, 200) ?? (row?.[0] === 'request' ? null : `the rival deleted ${String(row)}`)
    },
  },
]

async function untilWaiting(pid: string, { query }: TestConnection): Promise<void> {
  const blockers = { text: 'select cardinality(pg_blocking_pids($1::int))', values: [pid] }
  for (;;) {
    const [row] = await query(blockers)
    if (row?.[0] !== '0') return
  }
}

/** Updates the row under If-Match with the ETag from the start of the request. */
async function matching(url: string, article: string): Promise<Reply> {
  const { headers } = await send(url, 'GET', `/items/articles/${article}?fields=id`)
  return patch(url, `/items/articles/${article}`, { title: 'request' }, { 'if-match': headers.get('etag') ?? '' })
}

async function openRival(url: string): Promise<Rival & { close(): Promise<void> }> {
  const { query, close } = await connect(url)
  const [row] = await query('select pg_backend_pid()')
  return { pid: row?.[0] ?? '', query, close }
}

/** Runs all kinds in turn, each time with new rows. */
export async function interleave({ cluster, servers }: Stage, count: number): Promise<InterleavingResult> {
  const watcher = await connect(cluster.url)
  const rival = await openRival(cluster.url)
  const gate = await openRival(cluster.url)
  const wrong: string[] = []
  for (let round = 0; round < count; round += 1) {
    const article = await one(watcher, `insert into articles (title) values ('round ${round}') returning id`)
    const comment = await one(watcher, `insert into comments (article, body) values (${article}, 'own') returning id`)
    const url = servers[round % servers.length]?.url ?? ''
    const kind = interleavings[round % interleavings.length]
    const problem = await kind?.run({ url, watcher, rival, gate, article, comment })
    if (typeof problem === 'string') wrong.push(`${kind?.name}: ${problem}`)
  }
  await Promise.all([watcher.close(), rival.close(), gate.close()])
  return { interleavings: count, wrong }
}

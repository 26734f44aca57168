// npm run verify client-gone
// Clients close their connections during a slow statement: the database ends it at once.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { TOKEN, untilReady, withService, type Figure, type Service } from '../measurements/service.ts'

/** Seconds that the statement would take. */
const NAP = 12
export const STATEMENT = NAP * 1000
const CANCELLED_IN = 1000

type Dialect = 'postgres' | 'mysql'

const tables: Readonly<Record<Dialect, string>> = {
  postgres: `create table things (id integer primary key); insert into things values (1);
    create function take_a_nap() returns text language sql volatile as $$ select pg_sleep(${NAP})::text $$;
    create view naps as select id, take_a_nap() as nap from things`,
  mysql: `create table things (id integer primary key); insert into things values (1);
    create view naps as select id, sleep(${NAP}) as nap from things`,
}

const running: Readonly<Record<Dialect, string>> = {
  postgres: `select count(*) filter (where state = 'active' and query ~ 'naps|tain_stream'),
      count(*) filter (where state like 'idle in transaction%')
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  mysql: `select coalesce(sum(info like '%naps%' and command = 'Query' and id <> connection_id()), 0),
      coalesce(sum(command = 'Sleep' and id in (select trx_mysql_thread_id from information_schema.innodb_trx)), 0)
    from information_schema.processlist where db = database()`,
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: object
}

/** Every way of a read to the database. */
const reads: Readonly<Record<string, Asked>> = {
  list: { method: 'GET', path: '/items/naps?fields=id,nap' },
  sort: { method: 'GET', path: '/items/naps?fields=id&sort=nap' },
  filter: { method: 'GET', path: '/items/naps?fields=id&filter[nap][_null]=true' },
  aggregate: { method: 'GET', path: '/items/naps?aggregate[max]=nap' },
  search: { method: 'SEARCH', path: '/items/naps', body: { query: { fields: ['id', 'nap'] } } },
  graphql: { method: 'POST', path: '/graphql', body: { query: '{ naps { id nap } }' } },
  export: { method: 'GET', path: '/items/naps?fields=id,nap&export=csv' },
}

const messageOf = ({ method, path, body }: Asked): string => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const type = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n${type}\r\n${text}`
}

async function until(check: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await check())) {
    if (performance.now() - began > STATEMENT) return Infinity
    await sleep(5)
  }
  return performance.now() - began
}

const ends: readonly ((socket: Socket) => void)[] = [(socket) => socket.destroy(), (socket) => socket.resetAndDestroy()]

export interface GoneResult {
  readonly tries: number
  /** Milliseconds from the close to the end of the statement; Infinity: it was not ended. */
  readonly times: readonly number[]
  /** Requests whose statement never began. */
  readonly unseen: readonly string[]
  readonly idleInTransaction: number
  /** Statements that are served afterwards, one on each connection of the pool. */
  readonly servedAfter: number
}

const POOL = 4

async function leave(service: Service, { dialect, query }: TestDatabase, tries: number): Promise<GoneResult> {
  const counts = async () => (await query(running[dialect as Dialect]))[0]?.map(Number) ?? []
  const forms = Object.entries(reads)
  const times: number[] = []
  const unseen: string[] = []
  for (let turn = 0; turn < tries; turn += 1) {
    const [name, asked] = forms[turn % forms.length]!
    const socket = connect(service.port, '127.0.0.1')
    socket.on('error', () => undefined)
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    socket.write(messageOf(asked))
    const began = await until(async () => answer !== '' || (await counts())[0] === 1)
    if (answer !== '' || began === Infinity) unseen.push(`${name}: ${answer.slice(0, 300)}`)
    await sleep((turn % 5) * 20)
    ends[turn % ends.length]!(socket)
    times.push(await until(async () => (await counts())[0] === 0))
  }
  // The end of a cancelled statement and that of its transaction are two messages.
  const sinceLast = await until(async () => (await counts())[1] === 0)
  const idleInTransaction = sinceLast <= CANCELLED_IN ? 0 : ((await counts())[1] ?? 0)
  const after = Array.from({ length: POOL }, () =>
    fetch(`${service.url}/items/things/1`, { headers: { authorization: `Bearer ${TOKEN}` } }),
  )
  const served = (await Promise.all(after)).filter(({ status }) => status === 200)
  return { tries, times, unseen, idleInTransaction, servedAfter: served.length }
}

async function clientGone(dialect: Dialect, tries: number): Promise<GoneResult> {
  const database = await createDatabase(dialect)
  try {
    await database.query(tables[dialect])
    const settings = { DATABASE_URL: database.url, DB_POOL_MAX: String(POOL), LOG_LEVEL: 'warn' }
    return await withService(settings, async (service) => {
      await untilReady(service)
      return leave(service, database, tries)
    })
  } finally {
    await database.drop()
  }
}

const figuresOf = (dialect: Dialect, result: GoneResult): Figure[] => [
  { what: `${dialect}: requests left`, value: result.tries, unit: '' },
  { what: `${dialect}: of them without a statement`, value: result.unseen.length, unit: '', bound: { atMost: 0 } },
  {
    what: `${dialect}: statements ended within 1 s`,
    value: result.times.filter((time) => time <= CANCELLED_IN).length,
    unit: '',
    bound: { atLeast: result.tries },
  },
  { what: `${dialect}: longest until the end`, value: Math.max(...result.times), unit: 'ms' },
  {
    what: `${dialect}: connections idle in a transaction for 1 s`,
    value: result.idleInTransaction,
    unit: '',
    bound: { atMost: 0 },
  },
  { what: `${dialect}: served afterwards`, value: result.servedAfter, unit: '', bound: { atLeast: POOL } },
]

export async function figures(tries: number): Promise<Figure[]> {
  const all: Figure[] = []
  for (const dialect of ['postgres', 'mysql'] as const) {
    const result = await clientGone(dialect, tries)
    for (const text of new Set(result.unseen)) console.log(`${dialect}: ${text}`)
    all.push(...figuresOf(dialect, result))
  }
  return all
}

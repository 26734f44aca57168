// npm run verify seek [-- --dialect mysql] [--rows 1000000]
// How long `seek` takes in a large table, and how far from the share it lands, for several sort orders and callers.
import { withDatabase, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { median, TOKEN, untilReady, withService, type Figure, type Service } from './service.ts'

export interface SeekOptions {
  readonly dialect: TestDialect
  readonly rows: number
}

/** n from 1 to the number of rows, days after 2000-01-01, and the digest of n. */
const numbers: Readonly<Record<TestDialect, (rows: number) => Readonly<Record<'from' | 'day' | 'code', string>>>> = {
  postgres: (rows) => ({
    from: `generate_series(1, ${rows}) s(n)`,
    day: `date '2000-01-01' + (n::bigint * n * 5000 / ${rows}::bigint / ${rows})::int`,
    code: 'md5(n::text)',
  }),
  mysql: (rows) => ({
    from: `(select seq as n from seq_1_to_${rows}) s`,
    day: `date_add('2000-01-01', interval floor(n * n * 5000 / ${rows} / ${rows}) day)`,
    code: 'md5(n)',
  }),
  sqlite: (rows) => ({
    from: `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${rows}) select n from s)`,
    day: `date('2000-01-01', (n * n * 5000 / ${rows} / ${rows}) || ' days')`,
    code: `printf('%08x', (n * 2654435761) & 4294967295) || printf('%08x', n)`,
  }),
}

const status = `case when n % 20 = 0 then 'draft' when n % 4 = 0 then 'open' else 'paid' end`
const columns = ['skewed', 'day', 'code', 'status', 'seen'] as const

async function fill(database: TestDatabase, rows: number): Promise<void> {
  const { from, day, code } = numbers[database.dialect](rows)
  await database.query(`create table measured (id int not null primary key, skewed bigint not null, day date not null,
    code varchar(32) not null, status varchar(10) not null, seen int, owner int not null, note varchar(40) not null)`)
  await database.query(`insert into measured select n, ${database.dialect === 'postgres' ? 'n::bigint' : 'n'} * n * n, ${day}, ${code}, ${status},
    case when n % 3 = 0 then null else (n * 7) % ${rows} end, n % 10, 'a note of some length' from ${from}`)
  for (const column of columns) await database.query(`create index measured_${column} on measured (${column})`)
  await database.query(database.dialect === 'mysql' ? 'analyze table measured' : 'analyze measured')
}

interface Case {
  readonly what: string
  readonly query: Readonly<Record<string, string>>
  readonly token?: string
  /** The rows of the list. */
  readonly where?: string
}

const READER = 'token-of-a-reader-with-rules'

const cases: readonly Case[] = [
  ...['id', '-id', 'skewed', 'day', '-day', 'code', 'status', 'seen', '-seen'].map((sort) => ({
    what: `sort=${sort}`,
    query: { sort },
  })),
  {
    what: 'sort=skewed, filter 5 %',
    query: { sort: 'skewed', filter: '{"status":{"_eq":"draft"}}' },
    where: `status = 'draft'`,
  },
  { what: 'sort=day, rule 20 %', query: { sort: 'day' }, token: READER, where: 'owner < 2' },
]

const shares = [0.03, 0.25, 0.5, 0.63, 0.9, 0.99]

interface Page {
  readonly data: readonly Readonly<Record<string, string | number | null>>[]
  readonly meta: { readonly position: { readonly share: number }; readonly next_cursor: string | null }
}

async function ask({ url }: Service, { query, token = TOKEN }: Case, more: Readonly<Record<string, string>>) {
  const start = performance.now()
  const address = `${url}/items/measured?${new URLSearchParams({ ...query, limit: '100', meta: 'cursor', ...more }).toString()}`
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  const body = (await response.json()) as Page
  if (response.status !== 200) throw new Error(`${address}: ${JSON.stringify(body)}`)
  return { body, milliseconds: performance.now() - start }
}

/** The true share of the rows before a row. */
async function shareBefore(
  database: TestDatabase,
  { query, where = 'true' }: Case,
  { data: [row] }: Page,
): Promise<number> {
  const sort = query['sort'] ?? 'id'
  const column = sort.replace('-', '')
  const value = row?.[column] ?? null
  const written = typeof value === 'number' || column === 'skewed' ? String(value) : `'${String(value)}'`
  const isBefore = sort.startsWith('-')
    ? value === null
      ? 'false'
      : `(${column} is null or ${column} > ${written})`
    : value === null
      ? `${column} is not null`
      : `${column} < ${written}`
  const isSame = value === null ? `${column} is null` : `${column} = ${written}`
  const before = `${isBefore} or (${isSame} and id < ${String(row?.['id'])})`
  const [found] = await database.query(
    `select sum(case when ${before} then 1.0 else 0 end) / count(*) from measured where ${where}`,
  )
  return Number(found?.[0])
}

async function grantReader({ url }: Service): Promise<void> {
  const send = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return ((await response.json()) as { data: { id: string } }).data.id
  }
  const permissions = [{ collection: 'measured', action: 'read', fields: ['*'], permissions: { owner: { _lt: 2 } } }]
  const policy = await send('/policies', { name: 'reader', permissions })
  await send('/users', { email: 'reader@example.com', token: READER, policies: [{ policy }] })
}

export const seek = ({ dialect, rows }: SeekOptions): Promise<readonly Figure[]> =>
  withDatabase(async (database) => {
    await fill(database, rows)
    return withService({ DATABASE_URL: database.url, DB_STATEMENT_TIMEOUT: '60000' }, async (service) => {
      await untilReady(service)
      await grantReader(service)
      const figures: Figure[] = []
      for (const entry of cases) {
        const first = await ask(service, entry, { seek: '0.4' })
        const times: number[] = []
        const pages: number[] = []
        const misses: number[] = []
        for (const share of shares) {
          const { body, milliseconds } = await ask(service, entry, { seek: String(share) })
          times.push(milliseconds)
          const { next_cursor: cursor } = body.meta
          if (cursor !== null) pages.push((await ask(service, entry, { cursor })).milliseconds)
          misses.push(100 * Math.abs((await shareBefore(database, entry, body)) - body.meta.position.share))
        }
        const what = `${dialect}, ${rows} rows, ${entry.what}`
        figures.push(
          { what: `${what}: first`, value: first.milliseconds, unit: 'ms' },
          { what: `${what}: median of ${times.length}`, value: median(times), unit: 'ms' },
          { what: `${what}: the page after it, by cursor`, value: median(pages), unit: 'ms' },
          {
            what: `${what}: largest error of the position`,
            value: Math.max(...misses),
            unit: '%',
            bound: { atMost: 3 },
          },
        )
      }
      return figures
    })
  }, dialect)

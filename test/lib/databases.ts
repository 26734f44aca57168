import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { textOf } from '../../packages/server/src/sql/dialects/sqlite/registered.ts'
import type { Row, Statement } from '../../packages/server/src/sql/driver.ts'
import { inItsWords } from './translate-sql.ts'

export const serverUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

export interface TestDatabase {
  readonly dialect: TestDialect
  readonly url: string
  readonly name: string
  /**
   * Also accepts scripts of several statements if they bind no parameters. Returns the rows of the last one as text.
   */
  readonly query: (statement: string | Statement) => Promise<readonly Row[]>
  readonly drop: () => Promise<void>
}

export interface TestConnection {
  readonly query: TestDatabase['query']
  readonly close: () => Promise<void>
}

const asText = { getTypeParser: () => (value: string) => value }

async function connectPostgres(url: string): Promise<TestConnection> {
  const client = new Client({ connectionString: url, types: asText })
  // a connection that dies because its database is dropped must not crash the test process
  client.on('error', () => {})
  await client.connect()

  const query: TestDatabase['query'] = async (statement) => {
    const { text, values } = typeof statement === 'string' ? { text: statement, values: [] } : statement
    // without values pg uses the simple protocol, which allows several statements
    const answer: unknown = await client.query({ text, values: [...values], rowMode: 'array' })
    const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer
    return (last as { rows: readonly Row[] }).rows
  }

  return { query, close: () => client.end() }
}

/** For server-wide objects such as roles. Drop them after the databases that reference them. */
export async function administer(statement: string): Promise<void> {
  const { query, close } = await connectPostgres(serverUrl)
  try {
    await query(statement)
  } finally {
    await close()
  }
}

/** A separate database. Sorting by bytes makes results the same on every machine. */
async function createPostgres(): Promise<TestDatabase> {
  const name = `tain_test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} template template0 encoding 'UTF8' lc_collate 'C'`)

  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const { query, close } = await connectPostgres(url.href)

  const drop = async () => {
    await close()
    await administer(`drop database if exists ${name} with (force)`)
  }
  return { dialect: 'postgres', url: url.href, name, query, drop }
}

async function connectSqlite(url: string): Promise<TestConnection> {
  const database = new BetterSqlite(url.slice('sqlite:'.length), { timeout: 10_000 })
  database.defaultSafeIntegers(true)
  database.pragma('journal_mode = wal')

  const query: TestDatabase['query'] = async (statement) => {
    const { text, values } = typeof statement === 'string' ? { text: statement, values: [] } : statement
    if (values.length === 0 && /;\s*\S/u.test(text)) {
      database.exec(text)
      return []
    }
    const prepared = database.prepare<unknown[], (bigint | number | string | Buffer | null)[]>(text)
    if (!prepared.reader) {
      prepared.run(...values)
      return []
    }
    return prepared
      .raw(true)
      .all(...values)
      .map((row) => row.map((cell) => (cell === null ? null : textOf(cell))))
  }
  return { query, close: async () => void database.close() }
}

/** A file in a separate folder. */
async function createSqlite(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-test-'))
  const file = join(folder, 'test.db')
  const url = `sqlite:${file}`
  const { query, close } = await connectSqlite(url)
  const drop = async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
  return { dialect: 'sqlite', url, name: file, query, drop }
}

export const mysqlServerUrl = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql'

const cellOf = (value: string | number | Buffer | null): string | null =>
  value === null ? null : Buffer.isBuffer(value) ? value.toString('utf8') : String(value)

export async function connectMysql(url: string): Promise<TestConnection> {
  const connection = await createConnection({
    uri: url,
    multipleStatements: true,
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    charset: 'UTF8MB4_BIN',
    timezone: 'Z',
  })
  connection.on('error', () => {})
  const session = `set session time_zone = '+00:00', session group_concat_max_len = 1073741824`
  await connection.query(session)
  return {
    async query(statement) {
      const { text, values } = typeof statement === 'string' ? { text: statement, values: [] } : statement
      const [answer] =
        values.length === 0 ? await connection.query(text) : await connection.execute(text, values.map(String))
      const results: unknown = answer
      if (!Array.isArray(results)) return []
      // Of several statements, each one that returns rows returns a separate list.
      const isSeveral = results.some((entry) => !Array.isArray(entry)) || Array.isArray((results[0] as unknown[])?.[0])
      const last: unknown = isSeveral ? results.at(-1) : results
      return Array.isArray(last) ? (last as Parameters<typeof cellOf>[0][][]).map((row) => row.map(cellOf)) : []
    },
    close: () => connection.end(),
  }
}

async function createMysql(): Promise<TestDatabase> {
  const name = `tain_test_${randomBytes(8).toString('hex')}`
  const server = await connectMysql(mysqlServerUrl)
  await server.query(`create database ${name} character set utf8mb4 collate utf8mb4_nopad_bin`)
  const url = new URL(mysqlServerUrl)
  url.pathname = `/${name}`
  const { query, close } = await connectMysql(url.href)
  const drop = async () => {
    await close()
    await server.query(`drop database if exists ${name}`)
    await server.close()
  }
  return { dialect: 'mysql', url: url.href, name, query, drop }
}

const connections: Readonly<Record<string, (url: string) => Promise<TestConnection>>> = {
  'sqlite:': connectSqlite,
  'mysql:': connectMysql,
}

/** A single session, so that `set role` and the like persist. */
export const connect = (url: string): Promise<TestConnection> =>
  (connections[new URL(url).protocol] ?? connectPostgres)(url)

const kinds = { postgres: createPostgres, sqlite: createSqlite, mysql: createMysql } as const

/** Databases that tests can run on. */
export type TestDialect = keyof typeof kinds

export const isTestDialect = (name: string): name is TestDialect => Object.hasOwn(kinds, name)

/** All databases, or those named in DIALECTS. */
export const testDialects: readonly TestDialect[] = (process.env['DIALECTS'] ?? Object.keys(kinds).join(','))
  .split(',')
  .filter(isTestDialect)

/** The database of a test file that names none: see the projects in vitest.config.ts. */
const usual = (): TestDialect => {
  const name = process.env['SERVICE_DIALECT'] ?? 'postgres'
  if (!isTestDialect(name)) throw new Error(`there is no database ${name}`)
  return name
}

/** Without a dialect, tests write PostgreSQL SQL, and it is translated to the chosen database. */
export async function createDatabase(dialect?: TestDialect): Promise<TestDatabase> {
  if (dialect !== undefined) return kinds[dialect]()
  const database = await kinds[usual()]()
  return { ...database, query: inItsWords(database) }
}

export async function withDatabase<T>(work: (database: TestDatabase) => Promise<T>, dialect?: TestDialect): Promise<T> {
  const database = await createDatabase(dialect)
  try {
    return await work(database)
  } finally {
    await database.drop()
  }
}

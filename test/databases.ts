import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { Row, Statement } from '../packages/server/src/sql/driver.ts'

export const serverUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

export interface TestDatabase {
  readonly url: string
  readonly name: string
  /** Takes scripts of several statements too, as long as they bind nothing; answers the last one's rows as text. */
  readonly query: (statement: string | Statement) => Promise<readonly Row[]>
  readonly drop: () => Promise<void>
}

export interface TestConnection {
  readonly query: TestDatabase['query']
  readonly close: () => Promise<void>
}

const asText = { getTypeParser: () => (value: string) => value }

/** One session, so that `set role` and the like last. */
export async function connect(url: string): Promise<TestConnection> {
  const client = new Client({ connectionString: url, types: asText })
  // a connection that dies because its database is dropped must not take the test process with it
  client.on('error', () => {})
  await client.connect()

  const query: TestDatabase['query'] = async (statement) => {
    const { text, values } = typeof statement === 'string' ? { text: statement, values: [] } : statement
    // without values pg uses the simple protocol, which is what allows several statements
    const answer: unknown = await client.query({ text, values: [...values], rowMode: 'array' })
    const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer
    return (last as { rows: readonly Row[] }).rows
  }

  return { query, close: () => client.end() }
}

/** For what belongs to the whole server, such as roles: drop those after the databases that mention them. */
export async function administer(statement: string): Promise<void> {
  const { query, close } = await connect(serverUrl)
  try {
    await query(statement)
  } finally {
    await close()
  }
}

/** A database of its own; sorting by bytes makes results the same on every machine. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `tain_test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} template template0 encoding 'UTF8' lc_collate 'C'`)

  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const { query, close } = await connect(url.href)

  const drop = async () => {
    await close()
    await administer(`drop database if exists ${name} with (force)`)
  }
  return { url: url.href, name, query, drop }
}

export async function withDatabase<T>(work: (database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await createDatabase()
  try {
    return await work(database)
  } finally {
    await database.drop()
  }
}

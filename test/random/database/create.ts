import { setTimeout as sleep } from 'node:timers/promises'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { databaseSql } from './ddl.ts'
import type { Dialect, Model } from './model.ts'

const ADMIN_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const MYSQL_URL = process.env['TEST_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306/mysql'

const fileOf = (name: string): string => join(tmpdir(), `${name}.db`)

export function databaseUrl(dialect: Dialect, name: string): string {
  if (dialect === 'sqlite') return `sqlite:${fileOf(name)}`
  const url = new URL(dialect === 'mysql' ? MYSQL_URL : ADMIN_URL)
  url.pathname = `/${name}`
  return url.href
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** With collation C, text sorts by its bytes and lower() only affects ASCII. */
export async function createDatabase(name: string, model: Model): Promise<void> {
  if (model.dialect === 'mysql') return createMysql(name, model)
  if (model.dialect === 'sqlite') return createSqlite(name, model)
  await withClient(ADMIN_URL, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    await retry(() =>
      client.query(`create database ${name} template template0 lc_collate 'C' lc_ctype 'C' encoding 'UTF8'`),
    )
  })
  await withClient(databaseUrl(model.dialect, name), async (client) => {
    await client.query(`set timezone to 'UTC'`)
    await client.query(databaseSql(model).join(';\n'))
    await client.query('analyze')
  })
}

async function withMysql(url: string, work: (query: (text: string) => Promise<unknown>) => Promise<void>) {
  const connection = await createConnection({ uri: url, charset: 'UTF8MB4_BIN' })
  try {
    await work((text) => connection.query(text))
  } finally {
    await connection.end()
  }
}

/** Text sorts by its bytes, and trailing spaces count. */
async function createMysql(name: string, model: Model): Promise<void> {
  await withMysql(MYSQL_URL, async (query) => {
    await query(`drop database if exists ${name}`)
    await query(`create database ${name} character set utf8mb4 collate utf8mb4_nopad_bin`)
  })
  await withMysql(databaseUrl(model.dialect, name), async (query) => {
    await query(`set session time_zone = '+00:00'`)
    for (const text of databaseSql(model)) await query(text)
  })
}

function removeFiles(name: string): void {
  for (const end of ['', '-wal', '-shm', '-tain-lock']) rmSync(`${fileOf(name)}${end}`, { force: true })
}

function createSqlite(name: string, model: Model): void {
  removeFiles(name)
  const database = new BetterSqlite(fileOf(name))
  try {
    // Rows are inserted in any order; foreign keys are checked once all rows exist.
    database.pragma('foreign_keys = off')
    for (const text of databaseSql(model)) database.exec(text)
    const broken = database.pragma('foreign_key_check') as unknown[]
    if (broken.length > 0) throw new Error(`rows refer to nothing: ${JSON.stringify(broken[0])}`)
  } finally {
    database.close()
  }
}

export async function dropDatabase(dialect: Dialect, name: string): Promise<void> {
  if (dialect === 'sqlite') return removeFiles(name)
  if (dialect === 'mysql')
    return withMysql(MYSQL_URL, async (query) => void (await query(`drop database if exists ${name}`)))
  await withClient(ADMIN_URL, (client) => client.query(`drop database if exists ${name} with (force)`))
}

/** Two databases created at the same time can conflict, and a busy machine may be too slow to start a service. */
export async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 5) throw error
      await sleep(200 * attempt)
    }
  }
}

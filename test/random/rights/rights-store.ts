import BetterSqlite from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import type { Dialect } from '../database/model.ts'

/** Runs statements directly on the service tables, bypassing the service. The statements are in PostgreSQL syntax. */
export interface PermissionStore {
  query(text: string, values: readonly unknown[]): Promise<void>
  close(): Promise<void>
}

export const openRights = (dialect: Dialect, url: string): Promise<PermissionStore> => open[dialect](url)

const open: Readonly<Record<Dialect, (url: string) => Promise<PermissionStore>>> = {
  postgres: openPostgres,
  mysql: openMysql,
  sqlite: openSqlite,
}

async function openPostgres(url: string): Promise<PermissionStore> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    query: async (text, values) => void (await client.query(text, [...values])),
    close: () => client.end(),
  }
}

/** MariaDB has no array parameters and only one schema. The appended NULL keeps an empty list valid SQL. */
async function openMysql(url: string): Promise<PermissionStore> {
  const connection = await createConnection({ uri: url, charset: 'UTF8MB4_BIN' })
  await connection.query(`set session sql_mode = concat(@@sql_mode, ',ANSI_QUOTES')`)
  const bind = (value: unknown) => (Array.isArray(value) ? [...value, null] : value)
  return {
    query: async (text, values) => {
      const own = text
        .replaceAll('tain.', '')
        .replaceAll(/= any\(\$\d\)/gu, 'in (?)')
        .replaceAll(/\$\d/gu, '?')
      await connection.query(own, values.map(bind))
    },
    close: () => connection.end(),
  }
}

/** In SQLite lists are JSON, booleans are numbers, and there is only one schema. */
async function openSqlite(url: string): Promise<PermissionStore> {
  const database = new BetterSqlite(url.slice('sqlite:'.length), { timeout: 10_000 })
  database.pragma('foreign_keys = on')
  const bind = (value: unknown) =>
    typeof value === 'boolean' ? Number(value) : Array.isArray(value) ? JSON.stringify(value) : value
  return {
    query: async (text, values) => {
      const own = text
        .replaceAll('tain.', '')
        .replaceAll(/= any\(\$\d\)/gu, 'in (select value from json_each(?))')
        .replaceAll(/\$\d/gu, '?')
      database.prepare(own).run(...values.map(bind))
    },
    close: async () => void database.close(),
  }
}

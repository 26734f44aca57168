import BetterSqlite from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { databaseUrl, dropDatabase, retry } from '../database/create.ts'
import type { Dialect } from '../database/model.ts'
import { readSql, resetSql, schemaSql } from './ddl.ts'
import type { Schema } from './schema.ts'
import type { State } from './state.ts'

/** Direct access to the database of a session, bypassing the service. */
export interface Store {
  /** Restores the initial rows. */
  reset(start: State): Promise<void>
  /** All rows of all tables as JSON, with all values as text. */
  read(): Promise<string>
  close(): Promise<void>
}

/** Creates a fresh database. */
export const openStore = (name: string, schema: Schema): Promise<Store> => open[schema.dialect](name, schema)

const open: Readonly<Record<Dialect, (name: string, schema: Schema) => Promise<Store>>> = {
  postgres: openPostgres,
  mysql: openMysql,
  sqlite: openSqlite,
}

async function openPostgres(name: string, schema: Schema): Promise<Store> {
  const admin = new Client({ connectionString: databaseUrl('postgres', 'postgres') })
  await admin.connect()
  try {
    await admin.query(`drop database if exists ${name} with (force)`)
    await retry(() =>
      admin.query(`create database ${name} template template0 lc_collate 'C' lc_ctype 'C' encoding 'UTF8'`),
    )
    // The tests do not depend on durability.
    await admin.query(`alter database ${name} set synchronous_commit = off`)
  } finally {
    await admin.end()
  }
  const client = new Client({ connectionString: databaseUrl('postgres', name) })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(schemaSql(schema).join(';\n'))
  return {
    reset: async (start) => void (await client.query(resetSql(schema, start).join(';\n'))),
    read: async () => (await client.query<{ all_rows: string }>(readSql(schema))).rows[0]?.all_rows ?? '[]',
    close: async () => {
      await client.end()
      await dropDatabase('postgres', name)
    },
  }
}

async function openMysql(name: string, schema: Schema): Promise<Store> {
  const admin = await createConnection({ uri: databaseUrl('mysql', 'mysql') })
  await admin.query(`drop database if exists ${name}`)
  await admin.query(`create database ${name} character set utf8mb4 collate utf8mb4_nopad_bin`)
  await admin.end()
  const connection = await createConnection({ uri: databaseUrl('mysql', name), charset: 'UTF8MB4_BIN' })
  connection.on('error', () => undefined)
  await connection.query('set session group_concat_max_len = 1073741824')
  for (const text of schemaSql(schema)) await connection.query(text)
  return {
    async reset(start) {
      for (const text of resetSql(schema, start)) await connection.query(text)
    },
    async read() {
      const [rows] = await connection.query(readSql(schema))
      return (rows as { all_rows: string }[])[0]?.all_rows ?? '[]'
    },
    async close() {
      await connection.end()
      await dropDatabase('mysql', name)
    },
  }
}

async function openSqlite(name: string, schema: Schema): Promise<Store> {
  await dropDatabase('sqlite', name)
  const database = new BetterSqlite(databaseUrl('sqlite', name).slice('sqlite:'.length), { timeout: 10_000 })
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = off')
  // The initial rows are inserted in any order.
  database.pragma('foreign_keys = off')
  database.exec(schemaSql(schema).join(';\n'))
  return {
    reset: async (start) => void database.exec(resetSql(schema, start).join(';\n')),
    read: async () => database.prepare<[], { all_rows: string }>(readSql(schema)).get()?.all_rows ?? '[]',
    close: async () => {
      database.close()
      await dropDatabase('sqlite', name)
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { referencesSql, rowsSql, schemaSql } from './ddl.ts'
import type { Model } from './model.ts'

const ADMIN_URL = process.env['PROPERTY_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

export function databaseUrl(name: string): string {
  const url = new URL(ADMIN_URL)
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

/** Collation C, so that text sorts by its bytes and lower() is about ASCII. */
export async function createDatabase(name: string, model: Model): Promise<void> {
  await withClient(ADMIN_URL, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    await retry(() =>
      client.query(`create database ${name} template template0 lc_collate 'C' lc_ctype 'C' encoding 'UTF8'`),
    )
  })
  await withClient(databaseUrl(name), async (client) => {
    await client.query(`set timezone to 'UTC'`)
    for (const text of [schemaSql(model), rowsSql(model), referencesSql(model)])
      if (text !== '') await client.query(text)
    await client.query('analyze')
  })
}

export async function dropDatabase(name: string): Promise<void> {
  await withClient(ADMIN_URL, (client) => client.query(`drop database if exists ${name} with (force)`))
}

/** Two databases made at the same time can get in each other's way. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 5) throw error
      await sleep(200 * attempt)
    }
  }
}

import BetterSqlite from 'better-sqlite3'
import { Client } from 'pg'
import { chosenDialect } from '../property/dialect.ts'

/** Statements on the service's own tables, past the service; written as PostgreSQL reads them. */
export interface RightsStore {
  query(text: string, values: readonly unknown[]): Promise<void>
  close(): Promise<void>
}

export const openRights = (url: string): Promise<RightsStore> =>
  chosenDialect() === 'sqlite' ? openSqlite(url) : openPostgres(url)

async function openPostgres(url: string): Promise<RightsStore> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    query: async (text, values) => void (await client.query(text, [...values])),
    close: () => client.end(),
  }
}

/** Lists are JSON there, truth is a number, and there is one schema. */
async function openSqlite(url: string): Promise<RightsStore> {
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

// The exports of test/acceptance/lib/db.js, for a database other than PostgreSQL.
import { readFile } from 'node:fs/promises'
import { openMysql } from './mysql.ts'
import { openSqlite } from './sqlite.ts'

export type Value = string | number | boolean | null
export type Item = Readonly<Record<string, unknown>>

export interface SuiteDatabase {
  /** The folder of the equivalent fixture. */
  readonly fixture: string
  /** Runs the suite's SQL, translated to this database. */
  sql(text: string, values: readonly Value[]): Promise<readonly Item[]>
  /** Runs a script in this database's own SQL. */
  script(text: string): Promise<void>
  /** Pairs of a table with a foreign key and the table that it references. */
  foreignKeys(): Promise<readonly { readonly from: string; readonly to: string }[]>
  /** SQL that empties tables and resets their counters. */
  emptying(tables: readonly string[]): string
}

const ROWS_MARK = /^-- rows:.*$/mu
const TABLES = [
  'authors',
  'categories',
  'articles',
  'comments',
  'tags',
  'articles_tags',
  'pages',
  'blocks_hero',
  'blocks_text',
  'blocks_gallery',
  'pages_blocks',
  'devices',
  'countries',
  'site',
  'accounts',
  'invoices',
]

let opened: Promise<SuiteDatabase> | undefined

const connection = (): Promise<SuiteDatabase> => (opened ??= open(process.env['DATABASE_URL'] ?? ''))

const open = async (url: string): Promise<SuiteDatabase> =>
  url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openMysql(url)

const fixture = (folder: string, name: string) =>
  readFile(new URL(`../fixtures/${folder}/${name}`, import.meta.url), 'utf8')

export async function sql(text: string, values: readonly Value[] = []): Promise<readonly Item[]> {
  return (await connection()).sql(text, values)
}

export const one = async (text: string, values?: readonly Value[]): Promise<Item | undefined> =>
  (await sql(text, values))[0]

export async function loadFixture(): Promise<void> {
  const database = await connection()
  for (const name of ['fixture.sql', 'awkward.sql']) await database.script(await fixture(database.fixture, name))
}

/** The tables, and all tables that reference them. */
async function withFollowers(database: SuiteDatabase): Promise<readonly string[]> {
  const keys = await database.foreignKeys()
  const all = new Set(TABLES)
  for (const table of all) for (const { from, to } of keys) if (to === table) all.add(from)
  return [...all]
}

export async function resetRows(): Promise<void> {
  const database = await connection()
  const rows = (await fixture(database.fixture, 'fixture.sql')).split(ROWS_MARK)[1] ?? ''
  await database.script(`${database.emptying(await withFollowers(database))} ${rows}`)
}

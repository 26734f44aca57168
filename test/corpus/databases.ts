// The databases of the corpus and how each is loaded. Third-party scripts stay in ../shared/corpus.
import { copyFile, readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import BetterSqlite from 'better-sqlite3'
import { createDatabase, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { fillPostgres } from './fill-postgres.ts'
import { fillSqlite } from './fill-sqlite.ts'
import type { Plain } from './model.ts'
import { openMysql } from './plain-mysql.ts'
import { openPostgres } from './plain-postgres.ts'
import { openSqlite } from './plain-sqlite.ts'
import { mariadb, psql } from './programs.ts'
import type { Extent } from './session.ts'

const folder = join(import.meta.dirname, '../../../shared/corpus/schemas')

/** Whether the third-party databases are present; the project's own are always available. */
export const hasCorpus = existsSync(folder)

export interface CorpusDatabase {
  readonly name: string
  readonly dialect: TestDialect
  /** Written for this project and part of the tests. */
  readonly isOwn: boolean
  readonly extent: Extent
  readonly load: (database: TestDatabase) => Promise<void>
}

const usual: Extent = { rows: 50, columns: 60, wholeRows: 3000, structures: 20 }
/** For nine hundred relations: only a few columns of each. */
const vast: Extent = { rows: 10, columns: 6, wholeRows: 100, structures: 20 }

async function script(name: string): Promise<string> {
  const bytes = await readFile(join(folder, name))
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

const own = (name: string, dialect: TestDialect): CorpusDatabase => ({
  name,
  dialect,
  isOwn: true,
  extent: usual,
  load: async ({ query }) => void (await query(await readFile(join(import.meta.dirname, `${name}.sql`), 'utf8'))),
})

/** Scripts that create a database are loaded into the test database instead. */
const withoutDatabase = (text: string): string =>
  text.replaceAll(/^(?:(?:drop|create) (?:database|schema)\b[^\n]*|\\c [^\n]*|use [^\n]*)$/gimu, '')

interface Loaded {
  readonly scripts: readonly string[]
  readonly change?: (text: string) => string
  /** The number of rows to generate for each empty table. */
  readonly fill?: number
  readonly extent?: Extent
}

const postgres = (
  name: string,
  { scripts, change = (text) => text, fill = 0, extent = usual }: Loaded,
): CorpusDatabase => ({
  name: `${name}-pg`,
  dialect: 'postgres',
  isOwn: false,
  extent,
  load: async ({ url }) => {
    for (const each of scripts) await psql(url, change(await script(each)))
    if (fill > 0) await fillPostgres(url, fill)
  },
})

const mysql = (name: string, { scripts, change = withoutDatabase, extent = usual }: Loaded): CorpusDatabase => ({
  name: `${name}-maria`,
  dialect: 'mysql',
  isOwn: false,
  extent,
  load: async ({ url }) => {
    for (const each of scripts) await mariadb(url, change(await script(each)))
  },
})

const sqlite = (name: string, { scripts, fill = 0, extent = usual }: Loaded): CorpusDatabase => ({
  name: `${name}-sqlite`,
  dialect: 'sqlite',
  isOwn: false,
  extent,
  load: async ({ name: file }) => {
    const database = new BetterSqlite(file)
    for (const each of scripts) database.exec(await script(each))
    database.close()
    if (fill > 0) await fillSqlite(file, fill)
  },
})

/** The data files of AdventureWorks are missing, except for one table whose rows reference missing ones. */
const withoutRows = (text: string): string =>
  text
    .replaceAll(/^(?:\\copy|\\pset|SELECT 'Copying)[^\n]*$/gmu, '')
    .replace('COMMENT ON TABLE Production.ProductReview', 'TRUNCATE Production.ProductReview;\n$&')

export const corpus: readonly CorpusDatabase[] = [
  own('hand-pg', 'postgres'),
  own('hand-maria', 'mysql'),
  own('hand-sqlite', 'sqlite'),
  postgres('chinook', { scripts: ['chinook-pg.sql.gz'], change: withoutDatabase }),
  mysql('chinook', { scripts: ['chinook-mysql.sql.gz'] }),
  {
    name: 'chinook-sqlite',
    dialect: 'sqlite',
    isOwn: false,
    extent: usual,
    load: ({ name }) => copyFile(join(folder, 'chinook.sqlite'), name),
  },
  postgres('northwind', { scripts: ['northwind-pg.sql.gz'] }),
  sqlite('northwind', { scripts: ['northwind-sqlite.sql.gz', 'northwind-sqlite-update.sql.gz'] }),
  postgres('sakila', { scripts: ['sakila-pg-schema.sql.gz', 'sakila-pg-data.sql.gz'] }),
  mysql('sakila', {
    scripts: ['sakila-mysql-schema.sql.gz', 'sakila-mysql-data.sql.gz'],
    change: (text) => withoutDatabase(text).replaceAll(/\bsakila\./gu, ''),
  }),
  sqlite('sakila', { scripts: ['sakila-sqlite-schema.sql.gz'], fill: 5 }),
  postgres('adventureworks', { scripts: ['adventureworks.sql.gz'], change: withoutRows, fill: 5 }),
  postgres('gitlab', { scripts: ['gitlab.sql.gz'], fill: 4, extent: vast }),
]

/** Opens plain SQL access to the same database. */
export const openPlain = async ({ dialect, url, name }: TestDatabase): Promise<Plain> =>
  dialect === 'postgres' ? openPostgres(url) : dialect === 'mysql' ? openMysql(url) : openSqlite(name)

/** Loads a database, runs the work on it and always drops it. */
export async function withLoaded<T>(each: CorpusDatabase, work: (database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await createDatabase(each.dialect)
  try {
    await each.load(database)
    return await work(database)
  } finally {
    await database.drop()
  }
}

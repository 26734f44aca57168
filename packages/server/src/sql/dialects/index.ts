import type { ConnectOptions, Database } from '../database.ts'

type Connect = (options: ConnectOptions) => Database

/** How addresses of a kind of database begin, and what speaks to it; only what is used is loaded. */
const kinds: Readonly<Record<string, () => Promise<Connect>>> = {
  'postgres postgresql': async () => (await import('./postgres/connect.ts')).connectPostgres,
  sqlite: async () => (await import('./sqlite/connect.ts')).connectSqlite,
  'mysql mariadb': async () => (await import('./mysql/connect.ts')).connectMysql,
}

const schemesOf = (kind: string) => kind.split(' ')

/** What an address of a database can begin with. */
export const databaseSchemes: readonly string[] = Object.keys(kinds).flatMap(schemesOf)

export async function connectDatabase(options: ConnectOptions): Promise<Database> {
  const scheme = options.url.slice(0, options.url.indexOf(':'))
  const load = Object.entries(kinds).find(([kind]) => schemesOf(kind).includes(scheme))?.[1]
  if (load === undefined) throw new TypeError('an address that no database was found for')
  return (await load())(options)
}

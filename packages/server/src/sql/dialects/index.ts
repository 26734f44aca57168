import type { ConnectOptions, Database } from '../database.ts'

type Connect = (options: ConnectOptions) => Database

/** URL schemes of each kind of database, and its dialect. Only the dialect in use is loaded. */
const kinds: Readonly<Record<string, () => Promise<Connect>>> = {
  'postgres postgresql': async () => (await import('./postgres/connect.ts')).connectPostgres,
  sqlite: async () => (await import('./sqlite/connect.ts')).connectSqlite,
  'mysql mariadb': async () => (await import('./mysql/connect.ts')).connectMysql,
}

const schemesOf = (kind: string) => kind.split(' ')

/** The URL schemes that a database address can have. */
export const databaseSchemes: readonly string[] = Object.keys(kinds).flatMap(schemesOf)

export async function connectDatabase(options: ConnectOptions): Promise<Database> {
  const scheme = options.url.slice(0, options.url.indexOf(':'))
  const load = Object.entries(kinds).find(([kind]) => schemesOf(kind).includes(scheme))?.[1]
  if (load === undefined) throw new TypeError('an address that no database was found for')
  return (await load())(options)
}

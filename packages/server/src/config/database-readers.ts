import { asDatabaseUrl, asDuration, fail, type Rows } from './readers.ts'

export interface DatabaseReadersConfig {
  readonly readersUrl: string | null
  readonly readersLagMax: number
}

const asReadersUrl = (text: string) =>
  /^postgres(ql)?:/u.test(text) ? asDatabaseUrl(text) : fail('has to begin with postgres: or postgresql:')

export const databaseReadersSettings: Rows<DatabaseReadersConfig> = {
  readersUrl: {
    name: 'DB_READERS_URL',
    fallback: null,
    read: asReadersUrl,
    what: 'standbys of PostgreSQL that take lists and nested reads, such as postgres://user@standby1,standby2/name',
  },
  readersLagMax: {
    name: 'DB_READERS_LAG_MAX',
    fallback: 5000,
    read: (text) => Math.max(1, asDuration(text)),
    what: 'oldest rows that DB_READERS_URL may give; older ones come from DATABASE_URL',
  },
}

/** The standbys follow the server of DATABASE_URL, and the service's tables there hold the versions. */
export function readersProblems({
  readersUrl,
  databaseUrl,
  isReadOnly,
}: DatabaseReadersConfig & { readonly databaseUrl: string | undefined; readonly isReadOnly: boolean }): string[] {
  if (readersUrl === null) return []
  return [
    ...(/^postgres(ql)?:/u.test(databaseUrl ?? 'postgres:') ? [] : ['DB_READERS_URL works with PostgreSQL only']),
    ...(isReadOnly ? ['DB_READERS_URL has no effect with READ_ONLY: DATABASE_URL may name a standby then'] : []),
  ]
}

import { startCluster } from '../lib/postgres-cluster.ts'
import { connect, createDatabase, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { startMariadb } from '../lib/mariadb.ts'

interface Place {
  readonly database: TestDatabase
  /** Settings with which the service hears of other programs. */
  readonly settings: Readonly<Record<string, string>>
  /** Ends the connection that runs it; null: other programs do not write here. */
  readonly suicide: string | null
}

const LOGICAL = { EVENTS_OUTSIDE: 'logical', EVENTS_SLOT: 'campaign' }

/** A server of its own whose log can be read. SQLite has no such log. */
const places: Readonly<Record<TestDialect, () => Promise<Place>>> = {
  async postgres() {
    const cluster = await startCluster({ wal_level: 'logical', max_slot_wal_keep_size: '4GB', max_wal_size: '2GB' })
    return {
      database: await databaseAt('postgres', cluster.url, () => cluster.destroy()),
      settings: LOGICAL,
      suicide: 'select pg_terminate_backend(pg_backend_pid())',
    }
  },
  async mysql() {
    const server = await startMariadb()
    return {
      database: await databaseAt('mysql', server.url, server.destroy),
      settings: LOGICAL,
      suicide: 'kill connection connection_id()',
    }
  },
  sqlite: async () => ({
    database: await createDatabase('sqlite'),
    settings: { EVENTS_OUTSIDE: 'none' },
    suicide: null,
  }),
}

async function databaseAt(dialect: TestDialect, url: string, destroy: () => Promise<void>): Promise<TestDatabase> {
  const { query, close } = await connect(url)
  const drop = async () => {
    await close()
    await destroy()
  }
  return { dialect, url, name: 'campaign', query, drop }
}

export const createPlace = (dialect: TestDialect): Promise<Place> => places[dialect]()

import {
  DummyDriver,
  Kysely,
  type Generated,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'

/** A point in time, in the form of the database. Statements compare and write it, and never return it. */
export type Timestamp = Date

/** The columns that statements name. Collections of the service have more; the contract declares them. */
export interface ServiceDatabase {
  service_migrations: { name: string; applied: Generated<Timestamp> }
  service_version: {
    version: number
    rights: number
    /** Schema version, a dot, permission version. */
    stamp: string
  }
  service_users: {
    id: string
    first_name: string | null
    last_name: string | null
    email: string | null
    /** The email address in lower case; computed by the database. */
    email_key: string | null
    password: string | null
    status: string
    role: string | null
    token: string | null
    provider: Generated<string>
    tfa_secret: string | null
    tfa_step: number | null
    link_version: Generated<number>
    last_access: Timestamp | null
    last_page: string | null
  }
  service_sessions: {
    token: string
    user: string | null
    family: string
    expires: Timestamp
    ip: string | null
    user_agent: string | null
    origin: string | null
    next_token: string | null
    used: Timestamp | null
  }
  service_roles: { id: string; name: string; icon: string; description: string | null; parent: string | null }
  service_policies: {
    id: string
    name: string
    icon: string
    description: string | null
    admin_access: Generated<boolean>
    app_access: Generated<boolean>
  }
  service_access: { id: string; role: string | null; user: string | null; policy: string }
  service_login_failures: {
    account: string
    network: string
    failures: number
    last_failure: Timestamp
    blocked_until: Timestamp | null
  }
  service_one_time: { kind: string; key: string; content: string | null; expires: Timestamp }
  service_locks: { name: string; holder: string | null; fence: number; expires: Timestamp | null }
  /** The fingerprint of the catalogue that the last announced version stands for. */
  service_watch: { name: string; fingerprint: string | null }
  /** How far an extension has come: in the log of changes, or the last time of a job. */
  service_extension_cursors: { name: string; epoch: string; position: number }
  service_uploads: {
    id: string
    kind: string
    caller: string
    content: string
    state: string
    file: string | null
    holder: string | null
    held_until: Timestamp | null
    expires: Timestamp
  }
  service_webhooks: {
    id: string
    status: string
    secret: string
    previous_secret: string | null
    rotated: Timestamp | null
    epoch: string | null
    number: number | null
    ordinal: number
    failures: number
  }
  service_idempotency: {
    key: string
    caller: string
    request: string
    status: number | null
    body: string | null
    etag: string | null
    created: Generated<Timestamp>
  }
  service_schema_steps: { id: Generated<number>; kind: string; schema: string; table: string; name: string }
}

/** Builds queries for every database; each dialect compiles them. */
const builder = new Kysely<ServiceDatabase>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export const tablesIn = (schema: string): Kysely<ServiceDatabase> => builder.withSchema(schema)

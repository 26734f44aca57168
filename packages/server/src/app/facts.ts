import { ServiceError } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { setupToken } from '../auth/procedures/setup.ts'
import type { Graphql } from '../graphql/endpoint.ts'
import type { Schema } from '../schema/schema.ts'
import { readUnserved, type Unserved } from '../schema/unserved.ts'
import type { Database } from '../sql/database.ts'
import { DatabaseError } from '../sql/driver.ts'
import type { AuthenticationParts } from './authentication.ts'
import type { AppContext } from './context.ts'

/** What a person who starts the service is told about it. */
export interface AppFacts {
  /** The database and its version. */
  readonly product: string
  /** Whether the session refuses writes, as the database reports it. */
  readonly refusesWrites: boolean
  readonly schema: Schema
  /** The schema of the service's own tables; null if it has none. */
  readonly systemSchema: string | null
  readonly unserved: Unserved
  /** Collections that have another name in GraphQL. */
  readonly renamed: ReturnType<Graphql['prepare']>
  /** Creates the first administrator; null if there is one already, or none is needed. */
  readonly setupToken: string | null
  /** Callers on this machine without a token. */
  readonly stranger: Actor
  /** The holder of ADMIN_TOKEN; null if it is not set or belongs to no active user. */
  readonly tokenHolder: Actor | null
}

const THIS_MACHINE = '127.0.0.1'

export async function factsOf(
  context: AppContext,
  schema: Schema | null,
  authentication: AuthenticationParts,
  graphql: Graphql,
): Promise<AppFacts | null> {
  try {
    return schema === null ? null : await readFacts(context, schema, authentication, graphql)
  } catch (error) {
    if (error instanceof DatabaseError && error.fault === 'unavailable') return null
    throw error
  }
}

async function readFacts(
  { config, database, systemSchema }: AppContext,
  schema: Schema,
  { authenticate, services: { identity, keyring } }: AuthenticationParts,
  graphql: Graphql,
): Promise<AppFacts> {
  const { isReadOnly, adminToken } = config
  const beginning = isReadOnly ? null : await identity.beginning()
  return {
    ...(await sessionOf(database)),
    schema,
    systemSchema: isReadOnly ? null : systemSchema,
    unserved: await readUnserved(database, systemSchema, config.schemas, (statement) =>
      database.driver.query(statement),
    ),
    renamed: graphql.prepare(),
    setupToken: beginning?.hasAdministrator === false ? setupToken(keyring, beginning.permissionVersion) : null,
    stranger: await authenticate({ token: null, address: THIS_MACHINE }),
    tokenHolder: adminToken === null ? null : await holderOf(adminToken, authenticate),
  }
}

async function holderOf(token: string, authenticate: AuthenticationParts['authenticate']): Promise<Actor | null> {
  try {
    return await authenticate({ token, address: THIS_MACHINE })
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

async function sessionOf({ driver, sessionFacts }: Database): Promise<Pick<AppFacts, 'product' | 'refusesWrites'>> {
  const [row] = await driver.query(sessionFacts())
  return { product: row?.[0] ?? '', refusesWrites: row?.[1] === 't' }
}

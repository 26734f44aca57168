import { afterAll, beforeAll } from 'vitest'
import { createDatabase, type TestDatabase, type TestDialect } from './databases.ts'
import { dataOf, openService, type Environment, type RequestOptions, type Service } from './service.ts'

export interface WorldOptions {
  /** The database of the project by default, whose statements are PostgreSQL's and translated. */
  readonly dialect?: TestDialect
  /** Statements that create the tables and their rows, before the service is opened. */
  readonly tables?: string | readonly string[] | ((database: TestDatabase) => Promise<void>)
  readonly environment?: Environment
  /** Runs once the service is open, before the first test. */
  readonly prepare?: () => Promise<void>
}

/** By collection: the actions on all fields, such as `read update`, or whole permissions. */
export type Permissions = Readonly<Record<string, string | readonly Permission[]>>

export interface Permission {
  readonly action: string
  readonly fields?: readonly string[]
  readonly permissions?: object
  readonly validation?: object
  readonly presets?: object
}

/** The requests of one caller. */
export type Caller = Pick<Service, 'get' | 'search' | 'send'>

/** A database and a service on it, for the tests of a file or a `describe`. They can be used while its tests run. */
export interface World {
  readonly database: TestDatabase
  readonly service: Service
  /** A user with these permissions, created at the first request. */
  readonly caller: (permissions: Permissions) => Caller
  readonly nobody: Caller
}

/** Registers hooks that create the world and remove it. */
export function useWorld({ dialect, tables = [], environment = {}, prepare }: WorldOptions): World {
  const opened: { database?: TestDatabase; service?: Service } = {}
  const service = late(() => opened.service)
  beforeAll(async () => {
    const database = await createDatabase(dialect)
    opened.database = database
    if (typeof tables === 'function') await tables(database)
    else for (const statements of [tables].flat()) await database.query(statements)
    opened.service = await openService({ DATABASE_URL: database.url, ...environment })
    await prepare?.()
  })
  afterAll(async () => {
    await opened.service?.stop()
    await opened.database?.drop()
  })
  return {
    database: late(() => opened.database),
    service,
    caller(permissions) {
      let token: Promise<string> | undefined
      return callerWith(service, () => (token ??= createUser(service, permissionsOf(permissions))))
    },
    nobody: callerWith(service, () => Promise.resolve(null)),
  }
}

/** An object whose members are those of another one that exists later. */
const late = <T extends object>(find: () => T | undefined): T =>
  new Proxy({} as T, {
    get(_, name) {
      const found = find()
      if (found === undefined) throw new Error('hooks create the world: it can be used in tests and other hooks')
      return Reflect.get(found, name) as unknown
    },
  })

function callerWith(service: Service, tokenOf: () => Promise<string | null>): Caller {
  const withToken = async (options: RequestOptions = {}): Promise<RequestOptions> => ({
    token: await tokenOf(),
    ...options,
  })
  return {
    get: async (path, options) => service.get(path, await withToken(options)),
    search: async (collection, query, options) => service.search(collection, query, await withToken(options)),
    send: async (method, path, body, options) => service.send(method, path, body, await withToken(options)),
  }
}

let users = 0

/** A user with one policy that has these permissions. Returns the user's token. */
export async function createUser(
  service: Service,
  permissions: readonly object[],
  token = `token-of-user-${users}`,
): Promise<string> {
  users += 1
  const name = `user-${users}`
  const policy = dataOf(await service.send('POST', '/policies', { name, permissions })) as { readonly id: string }
  const user = { email: `${name}@example.com`, token, policies: [{ policy: policy.id }] }
  dataOf(await service.send('POST', '/users', user))
  return token
}

const permissionsOf = (permissions: Permissions): object[] =>
  Object.entries(permissions).flatMap(([collection, actions]) =>
    (typeof actions === 'string' ? actions.split(' ').map((action) => ({ action })) : actions).map((permission) => ({
      collection,
      fields: ['*'],
      ...permission,
    })),
  )

import { call } from './call.ts'
import { errorsIn, TainError } from './errors.ts'
import { filesOf, type Files } from './files.ts'
import { itemsOf } from './items.ts'
import { operationsOf } from './operations.ts'
import type { CallOptions, WriteOptions } from './options.ts'
import { pathOf } from './address.ts'
import type { Procedure } from './procedure.ts'
import { createSession, fixedCredentials, type LoginInput, type Session, type SessionOptions } from './session.ts'
import {
  createTransport,
  dataOf,
  jsonOf,
  type Access,
  type Credentials,
  type Send,
  type TransportOptions,
} from './transport.ts'
import type { BatchItems, Operation, ResultsOf } from './types/batch.ts'
import type { Call } from './types/calls.ts'
import type { Items } from './types/items.ts'
import type { CollectionOf, Loose, LooseSchema, SchemaShape } from './types/schema.ts'
import { createWrite, resultOf } from './write.ts'

const TIMEOUT = 30_000
const RETRIES = 2

export interface ClientOptions {
  /** The address of the service. */
  url: string | URL
  /** A static token, a function that gives one, or how `login` keeps its tokens. */
  auth?: string | (() => string | Promise<string>) | SessionOptions | undefined
  fetch?: typeof fetch
  /** Milliseconds for a call with its repetitions: 30 000 by default. 0: no limit. */
  timeout?: number
  /** How often reads, and writes with an idempotency key, are repeated: twice by default. */
  retries?: number
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
}

export interface GraphqlOptions extends CallOptions {
  /** `system`: the schema of the service itself. */
  scope?: 'items' | 'system'
}

/** Functions, so that a part of the client can be passed on alone. */
export interface Client<S> {
  /** The items of a collection. */
  readonly items: <C extends CollectionOf<S>>(collection: C) => Items<S, C>
  /** Several writes in one transaction. The results contain all fields that may be read. */
  readonly batch: <const T extends readonly Operation<unknown>[]>(
    writes: (items: BatchItems<S>) => T,
    options?: WriteOptions,
  ) => Promise<ResultsOf<T>>
  /** Everything that the service does besides items: see `@tain/sdk/procedures`. */
  readonly call: Call<S>
  /** Content of files: forms to upload, and assets. Rows of files are items of `service_files`. */
  readonly files: Files
  readonly graphql: <T = Loose>(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: GraphqlOptions,
  ) => Promise<T>
  readonly login: (input: LoginInput, options?: CallOptions) => Promise<void>
  readonly refresh: (options?: CallOptions) => Promise<void>
  readonly logout: (options?: CallOptions) => Promise<void>
  /** For `@tain/sdk/realtime`. */
  readonly access: Access
}

async function graphql(
  send: Send,
  query: string,
  variables: object = {},
  given: GraphqlOptions = {},
): Promise<unknown> {
  const { scope, ...options } = given
  const path = scope === 'system' ? '/graphql/system' : '/graphql'
  const isRepeatable = !/\bmutation\b/u.test(query)
  const reply = await send({ method: 'POST', path, body: { query, variables }, isRepeatable }, options)
  const errors = errorsIn(jsonOf(reply))
  const data = dataOf(reply)
  if (errors.length > 0) throw new TainError(reply.status, errors, { data })
  return data
}

const resultsOf = (data: unknown, writes: readonly Operation<unknown>[]) =>
  (data as readonly { readonly data?: unknown }[]).map((part, index) => resultOf(part.data, writes[index]?.isOfList))

function credentialsOf(auth: ClientOptions['auth'], send: () => Send): { all: Credentials; session: Session | null } {
  if (typeof auth === 'string' || typeof auth === 'function') return { all: fixedCredentials(auth), session: null }
  const session = createSession(auth ?? {}, send)
  return { all: session, session }
}

/** A client of one service. Without a schema, everything is loosely typed. */
export function createClient<S extends SchemaShape<S> = LooseSchema>(given: ClientOptions): Client<S> {
  const options = {
    url: String(given.url).replace(/\/+$/u, ''),
    fetch: given.fetch ?? ((...request) => fetch(...request)),
    timeout: given.timeout ?? TIMEOUT,
    retries: given.retries ?? RETRIES,
    headers: given.headers ?? {},
  } satisfies TransportOptions
  const send: Send = createTransport(options, () => all)
  const { all, session } = credentialsOf(given.auth, () => send)
  const write = createWrite(send, options)
  const signedIn = (): Session => {
    if (session === null) throw new TypeError('The client has a token of its own and no session')
    return session
  }
  return {
    items: (collection) => itemsOf(send, write, collection) as unknown as Items<S, typeof collection>,
    batch: async (writes, batchOptions) => {
      const given = writes((name: string) => operationsOf(pathOf(name)))
      const body = given.map(({ method, path, body: sent }) => ({ method, path, body: sent }))
      return resultsOf(await write({ method: 'POST', path: '/batch', body }, {}, batchOptions), given) as never
    },
    call: ((procedure: Procedure<never, unknown>, input: object = {}, callOptions?: CallOptions) =>
      call(send, procedure, input as Readonly<Record<string, unknown>>, callOptions)) as Call<S>,
    files: filesOf(send, options.url),
    graphql: (document, variables, graphqlOptions) => graphql(send, document, variables, graphqlOptions) as never,
    login: (input, loginOptions) => signedIn().login(input, loginOptions),
    refresh: (refreshOptions) => signedIn().refresh(refreshOptions),
    logout: (logoutOptions) => signedIn().logout(logoutOptions),
    access: { url: options.url, credentials: all },
  }
}

import { ServiceError } from '@tain/contract'
import { GraphQLSchema, parse, type ExecutionArgs, type FormattedExecutionResult } from 'graphql'
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer, type Context, type Server, type SubscribePayload } from 'graphql-ws'
import type { RawData } from 'ws'
import type { SocketAuthMode } from '../config/realtime.ts'
import { exactNumbers, isTooDeep } from '../lib/exact-json.ts'
import { utf8Text } from '../lib/utf8.ts'
import type { Observe } from '../observe.ts'
import type { CallerWatch } from './caller-watch.ts'
import { hasRunOut, type Caller, type Callers } from './callers.ts'
import {
  createGraphqlConnection,
  currentCaller,
  endConnection,
  mayBegin,
  sendText,
  subscribeFor,
  type GraphqlConnection,
} from './graphql-connection.ts'
import {
  resultOf,
  shownErrors,
  type GraphqlAnswer,
  type GraphqlListener,
  type GraphqlResult,
  type OpenGraphql,
} from './graphql-operation.ts'
import type { Hub } from './hub.ts'
import { holderOf } from './places.ts'
import { shownError } from './socket-refusal.ts'
import type { SocketEndpoint } from './socket-server.ts'

export interface GraphqlSocketOptions {
  readonly path: string
  readonly mode: SocketAuthMode
  /** Most connections; null: no limit. */
  readonly most: number | null
  /** Milliseconds within which a client has to send `connection_init`. */
  readonly initTimeout: number
  /** Milliseconds between two pings; null: clients are not pinged. */
  readonly heartbeat: number | null
  /** Most operations of one connection at a time. */
  readonly operations: number
  /** Most operations that a connection begins in a second. */
  readonly rate: number
  /** Bytes that may wait for a client. */
  readonly buffer: number
  readonly callers: Callers
  readonly watch: Pick<CallerWatch, 'add'>
  readonly hub: Pick<Hub, 'subscribe' | 'place'>
  readonly open: OpenGraphql
  readonly observe: Observe
}

type ConnectionContext = Context<Record<string, unknown>, GraphqlConnection>

/** Codes of the protocol that its library does not close with by itself. */
const BAD_REQUEST = 4400
const UNEXPECTED = 1011
const TRY_LATER = 1013

/** How often the tokens of connections are looked at. */
const CHECK_INTERVAL = 500

/** GraphQL over `graphql-transport-ws`. */
export function createGraphqlSocket(options: GraphqlSocketOptions): SocketEndpoint {
  const { path, mode, most, heartbeat } = options
  const connections = new Set<GraphqlConnection>()
  const server = createProtocol(options)
  let timers: readonly NodeJS.Timeout[] = []
  const every = (interval: number, work: (connection: GraphqlConnection) => void) =>
    setInterval(() => connections.forEach(work), interval).unref()
  return {
    path,
    mode,
    most,
    protocol: (offered) => offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
    open(socket, opening) {
      const connection = createGraphqlConnection(socket, opening)
      connections.add(connection)
      if (connections.size === 1)
        timers = [every(CHECK_INTERVAL, checkToken), ...(heartbeat === null ? [] : [every(heartbeat, ping)])]
      if (opening.caller !== null) signIn(connection, opening.caller, options)
      serve(connection, server, options)
      socket.once('close', () => {
        connections.delete(connection)
        if (connections.size === 0) timers.forEach((timer) => clearInterval(timer))
      })
    },
  }
}

function checkToken(connection: GraphqlConnection): void {
  if (connection.caller !== null && hasRunOut(connection.caller)) endConnection(connection, 'unauthorized')
}

/** Frames below the protocol, which every client answers by itself. Somebody who is not there reads no close code. */
function ping(connection: GraphqlConnection): void {
  const { socket } = connection
  if (!connection.hasAnswered) return socket.terminate()
  connection.hasAnswered = false
  if (socket.readyState === socket.OPEN) socket.ping()
}

/** Hands the messages of a connection to the protocol. */
function serve(
  connection: GraphqlConnection,
  server: Server<GraphqlConnection>,
  { buffer, observe }: GraphqlSocketOptions,
): void {
  const { socket, subscriptions } = connection
  const failed = (error: unknown) => {
    observe({ kind: 'realtime-failed', what: 'graphql', error })
    socket.close(UNEXPECTED)
  }
  // What is wrong with a frame is told by the code that `ws` closes with.
  socket.on('error', () => undefined)
  socket.on('pong', () => (connection.hasAnswered = true))
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (text) => sendText(connection, text, buffer),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (take) =>
        socket.on('message', (data: RawData) => {
          connection.hasAnswered = true
          const text = utf8Text(data as Buffer)
          if (text === null || isTooDeep(text)) return socket.close(BAD_REQUEST, 'Invalid message received')
          take(text).catch(failed)
        }),
    },
    connection,
  )
  socket.once('close', (code, reason) => {
    connection.unwatch()
    for (const subscription of subscriptions) subscription.close()
    closed(code, reason.toString()).catch(failed)
  })
}

/** The library runs documents by itself; these are never looked at, because the endpoint runs them. */
const noDocument: Pick<ExecutionArgs, 'schema' | 'document'> = {
  schema: new GraphQLSchema({ assumeValid: true }),
  document: parse('{ _ }'),
}

function createProtocol(options: GraphqlSocketOptions): Server<GraphqlConnection> {
  const onUnexpected = (error: unknown) => options.observe({ kind: 'realtime-failed', what: 'graphql', error })
  return makeServer<Record<string, unknown>, GraphqlConnection>({
    connectionInitWaitTimeout: options.initTimeout,
    jsonMessageReviver: exactNumbers,
    onConnect: (context) => connect(context, options),
    onSubscribe: (context, _, payload) => ({
      ...noDocument,
      contextValue: begin(context, payload, options).then<Results, Results>(resultsOf, refused),
    }),
    execute: ({ contextValue }) => contextValue as Promise<Results>,
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
    onError: (_context, _id, _payload, errors) => errors.flatMap(({ cause }) => shownErrors(cause, onUnexpected)),
  })
}

type Results = GraphqlResult | AsyncIterable<GraphqlResult>

const resultsOf = async (answer: GraphqlAnswer): Promise<Results> =>
  answer.kind === 'reply' ? resultOf(answer.reply) : answer.changes

/** The library makes an error message of what results throw. */
const refused = (error: unknown): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
})

// signing in

/** False: the token is wrong, or there is none. */
async function connect({ extra: connection, connectionParams }: ConnectionContext, options: GraphqlSocketOptions) {
  const token = connectionParams?.['access_token'] ?? null
  if (token === null) return connection.caller !== null
  if (typeof token !== 'string') return false
  try {
    const caller = await options.callers.find({ token, address: connection.client.ip })
    return signIn(connection, caller, options)
  } catch (error) {
    const { status } = shownError(error)
    if (status === 401 || status === 403) return false
    if (status === 500) throw error
    connection.socket.close(TRY_LATER)
    return true
  }
}

/** False: the connection has been closed, because the caller has too many. */
function signIn(connection: GraphqlConnection, caller: Caller, { watch }: GraphqlSocketOptions): boolean {
  const { socket, place, client } = connection
  if (!place.hold(holderOf(caller.actor.user, client.ip))) {
    socket.close(TRY_LATER, 'Too many connections')
    return false
  }
  connection.unwatch()
  connection.caller = caller
  connection.unwatch = watch.add({ caller, lost: () => endConnection(connection, 'unauthorized') })
  return true
}

// operations

async function begin(
  { extra: connection, subscriptions }: ConnectionContext,
  payload: SubscribePayload,
  options: GraphqlSocketOptions,
): Promise<GraphqlAnswer> {
  if (!mayBegin(connection, options.rate)) throw new ServiceError('REQUESTS_EXCEEDED')
  if (Object.keys(subscriptions).length > options.operations) throw new ServiceError('LIMIT_EXCEEDED')
  const arrived = options.hub.place().catch(() => null)
  const leave = await connection.turns.take()
  try {
    return await run(connection, payload, arrived, options)
  } finally {
    leave()
  }
}

async function run(
  connection: GraphqlConnection,
  { query, variables, operationName, extensions }: SubscribePayload,
  arrived: GraphqlListener['arrived'],
  { callers, open, hub }: GraphqlSocketOptions,
): Promise<GraphqlAnswer> {
  const caller = currentCaller(connection)
  if (caller === null) throw new ServiceError('TOKEN_EXPIRED')
  const { socket, client, audience } = connection
  const { ip, userAgent } = client
  return open(
    {
      query,
      variables,
      operationName,
      extensions,
      actor: await callers.renew(caller),
      origin: { ip, userAgent },
      signal: {
        get aborted() {
          return socket.readyState !== socket.OPEN
        },
      },
    },
    { hub: subscribeFor(connection, hub), audience, arrived },
  )
}

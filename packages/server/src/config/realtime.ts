import { asDuration, asFlag, asLimit, asNumber, asSize, fail, oneOf, type Rows } from './readers.ts'

/** When a connection has to sign in: never, by its first message, or with its upgrade. */
export type SocketAuthMode = 'public' | 'handshake' | 'strict'

/** Sockets, GraphQL subscriptions and server-sent events. */
export interface RealtimeConfig {
  readonly hasSockets: boolean
  readonly hasRestSocket: boolean
  readonly restSocketPath: string
  readonly restSocketAuth: SocketAuthMode
  /** Seconds. */
  readonly restSocketAuthTimeout: number
  readonly restSocketConnections: number | null
  readonly hasGraphqlSocket: boolean
  readonly graphqlSocketPath: string
  readonly graphqlSocketAuth: SocketAuthMode
  /** Seconds. */
  readonly graphqlSocketAuthTimeout: number
  readonly graphqlSocketConnections: number | null
  readonly hasHeartbeat: boolean
  /** Seconds. */
  readonly heartbeatPeriod: number
  readonly userConnections: number
  readonly connectionSubscriptions: number
  /** Bytes; null: as large as a request body. */
  readonly messageSize: number | null
  readonly messageRate: number
  /** Bytes. */
  readonly realtimeBuffer: number
  /** Milliseconds. */
  readonly liveInterval: number
}

const asPath = (text: string) =>
  /^\/[\w.~/-]+$/u.test(text) && !text.endsWith('/') ? text : fail('has to be a path such as /websocket')

const asAuthMode = oneOf('public', 'handshake', 'strict')

const LONGEST_WAIT = 86_400

export const realtimeSettings: Rows<RealtimeConfig> = {
  hasSockets: {
    name: 'WEBSOCKETS_ENABLED',
    fallback: false,
    read: asFlag,
    what: 'serve WebSockets, GraphQL subscriptions and server-sent events',
  },
  hasRestSocket: { name: 'WEBSOCKETS_REST_ENABLED', fallback: true, read: asFlag, what: 'serve the socket for items' },
  restSocketPath: {
    name: 'WEBSOCKETS_REST_PATH',
    fallback: '/websocket',
    read: asPath,
    what: 'address of the socket for items',
  },
  restSocketAuth: {
    name: 'WEBSOCKETS_REST_AUTH',
    fallback: 'handshake',
    read: asAuthMode,
    what: 'who may connect to it: public: anybody; handshake: who signs in by the first message; strict: who sends a token along',
  },
  restSocketAuthTimeout: {
    name: 'WEBSOCKETS_REST_AUTH_TIMEOUT',
    fallback: 10,
    read: asNumber(1, LONGEST_WAIT),
    what: 'seconds to sign in there',
  },
  restSocketConnections: {
    name: 'WEBSOCKETS_REST_CONN_LIMIT',
    fallback: null,
    read: asLimit,
    what: 'most connections to it, per process',
  },
  hasGraphqlSocket: {
    name: 'WEBSOCKETS_GRAPHQL_ENABLED',
    fallback: true,
    read: asFlag,
    what: 'serve GraphQL subscriptions',
  },
  graphqlSocketPath: {
    name: 'WEBSOCKETS_GRAPHQL_PATH',
    fallback: '/graphql',
    read: asPath,
    what: 'address of the socket for GraphQL',
  },
  graphqlSocketAuth: {
    name: 'WEBSOCKETS_GRAPHQL_AUTH',
    fallback: 'handshake',
    read: asAuthMode,
    what: 'who may connect to it, as for the socket for items',
  },
  graphqlSocketAuthTimeout: {
    name: 'WEBSOCKETS_GRAPHQL_AUTH_TIMEOUT',
    fallback: 10,
    read: asNumber(1, LONGEST_WAIT),
    what: 'seconds to sign in there',
  },
  graphqlSocketConnections: {
    name: 'WEBSOCKETS_GRAPHQL_CONN_LIMIT',
    fallback: null,
    read: asLimit,
    what: 'most connections to it, per process',
  },
  hasHeartbeat: {
    name: 'WEBSOCKETS_HEARTBEAT_ENABLED',
    fallback: true,
    read: asFlag,
    what: 'ask silent connections whether they are still there, and end those that do not answer',
  },
  heartbeatPeriod: {
    name: 'WEBSOCKETS_HEARTBEAT_PERIOD',
    fallback: 30,
    read: asNumber(1, LONGEST_WAIT),
    what: 'seconds between two such questions',
  },
  userConnections: {
    name: 'REALTIME_USER_CONNECTIONS',
    fallback: 100,
    read: asNumber(1),
    what: 'most connections and streams of one user, or of one address that is not signed in, per process',
  },
  connectionSubscriptions: {
    name: 'REALTIME_SUBSCRIPTIONS',
    fallback: 100,
    read: asNumber(1),
    what: 'most subscriptions of one connection',
  },
  messageSize: {
    name: 'REALTIME_MESSAGE_SIZE',
    fallback: null,
    read: asSize,
    what: 'largest message of a client; by default MAX_PAYLOAD_SIZE',
  },
  messageRate: {
    name: 'REALTIME_MESSAGE_RATE',
    fallback: 100,
    read: asNumber(1),
    what: 'most messages of one connection per second',
  },
  realtimeBuffer: {
    name: 'REALTIME_BUFFER',
    fallback: 1024 ** 2,
    read: asSize,
    what: 'what may wait for a client that reads slowly; with more, its connection ends',
  },
  liveInterval: {
    name: 'REALTIME_LIVE_INTERVAL',
    fallback: 250,
    read: asDuration,
    what: 'shortest time between two results of one live query',
  },
}

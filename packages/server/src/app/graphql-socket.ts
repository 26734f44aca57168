import { ServiceError } from '@tain/contract'
import type { Graphql, GraphqlCall } from '../graphql/endpoint.ts'
import { createGraphqlSocket } from '../realtime/graphql-socket.ts'
import type { SocketEndpoint } from '../realtime/socket-server.ts'
import type { AppContext } from './context.ts'
import type { Realtime } from './realtime.ts'

/** The endpoint of GraphQL over sockets; none if it is not served. */
export function graphqlSockets(
  { config, observe }: AppContext,
  realtime: Realtime | null,
  graphql: Graphql,
): readonly SocketEndpoint[] {
  if (realtime === null || !config.hasGraphqlSocket) return []
  const { callers, watch, hub } = realtime
  const endpoint = createGraphqlSocket({
    path: config.graphqlSocketPath,
    mode: config.graphqlSocketAuth,
    most: config.graphqlSocketConnections,
    initTimeout: config.graphqlSocketAuthTimeout * 1000,
    heartbeat: config.hasHeartbeat ? config.heartbeatPeriod * 1000 : null,
    operations: config.connectionSubscriptions,
    rate: config.messageRate,
    buffer: config.realtimeBuffer,
    callers,
    watch,
    hub: hub ?? { subscribe: notServed, place: notServed },
    open: (operation, listener) => graphql.open({ ...ofSocket, ...operation }, listener),
    observe,
  })
  return [endpoint]
}

const notServed = () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE'))

/** The schema of items has no procedures, and those alone look at the visitor. */
const noVisitor = (): never => {
  throw new TypeError('a socket has no visitor')
}

const ofSocket = {
  scope: 'items',
  isSafe: false,
  isViewed: false,
  isDryRun: false,
  isExplained: false,
  visitor: {
    context: noVisitor,
    checkOrigin: noVisitor,
    signedIn: noVisitor,
    signedOut: noVisitor,
    keepSecret: noVisitor,
  },
} satisfies Partial<GraphqlCall>

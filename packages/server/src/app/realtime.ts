import type { Server } from 'node:http'
import { cookieOrigins } from '../config/cors.ts'
import type { EventLog } from '../events/event-log.ts'
import { createClientAddress } from '../lib/client-address.ts'
import { createCallers, type Callers } from '../realtime/callers.ts'
import { createCallerWatch, type CallerWatch } from '../realtime/caller-watch.ts'
import { createHub } from '../realtime/create-hub.ts'
import type { Hub } from '../realtime/hub.ts'
import { createPlaces, type Places } from '../realtime/places.ts'
import { createRestSocket, type RestSocket } from '../realtime/rest-socket.ts'
import { createSocketServer, type SocketEndpoint, type SocketServer } from '../realtime/socket-server.ts'
import { createEventStreams, type EventStreams } from '../realtime/sse.ts'
import { createHolding } from '../store/proofs.ts'
import type { AuthenticationParts } from './authentication.ts'
import type { AppContext } from './context.ts'
import type { EngineParts } from './engine.ts'

/** Sockets and streams: what they share, and how they begin and end. */
export interface Realtime {
  /** null: the service keeps no log of changes. */
  readonly hub: Hub | null
  readonly callers: Callers
  readonly watch: CallerWatch
  readonly places: Places
  readonly streams: EventStreams
  /** Takes the upgrades of a server, besides the socket for items also those of other endpoints. */
  readonly serve: (server: Server, others: readonly SocketEndpoint[]) => void
  readonly start: () => void
  /** Tells all clients to come back. */
  readonly stop: () => Promise<void>
}

export interface RealtimeParts extends EngineParts {
  readonly authentication: AuthenticationParts
}

/** null: nobody can subscribe, or no log of changes is kept. */
export function hubOf(
  { config, observe }: AppContext,
  { engine, events }: EngineParts & { readonly events: EventLog | null },
): Hub | null {
  if (!config.hasSockets || events === null) return null
  const onError = (error: unknown) => observe({ kind: 'realtime-failed', what: 'telling changes', error })
  return createHub({ engine, log: events, liveInterval: config.liveInterval, onError })
}

/** null: sockets and streams are not served. */
export function createRealtime(context: AppContext, parts: RealtimeParts, hub: Hub | null): Realtime | null {
  const { config, observe, database, systemSchema } = context
  if (!config.hasSockets) return null
  const { engine, limits, authentication } = parts
  const callers = createCallers(authentication.authenticate, authentication.proofOf, engine)
  const holding = createHolding(database, systemSchema, config.sessionGrace)
  const watch = createCallerWatch(callers, holding, observe)
  const places = createPlaces(config.userConnections)
  const { procedures } = authentication
  const rest = config.hasRestSocket
    ? createRestSocket({ engine, limits, procedures, callers, watch, hub, config, observe })
    : null
  const streams = createEventStreams({ engine, limits, callers, watch, places, hub, buffer: config.realtimeBuffer })
  let sockets: SocketServer | null = null
  return {
    hub,
    callers,
    watch,
    places,
    streams,
    serve(server, others) {
      sockets = socketServer(context, parts, { callers, places }, [...endpointsOf(rest), ...others])
      server.on('upgrade', sockets.upgrade)
    },
    start() {
      hub?.start()
      watch.start()
      rest?.start()
      streams.start()
    },
    async stop() {
      rest?.stop()
      streams.stop()
      await sockets?.stop()
      await watch.stop()
      await hub?.stop()
    },
  }
}

const endpointsOf = (rest: RestSocket | null): readonly SocketEndpoint[] => (rest === null ? [] : [rest.endpoint])

const socketServer = (
  { config, observe }: AppContext,
  { authentication }: RealtimeParts,
  shared: Pick<Realtime, 'callers' | 'places'>,
  endpoints: readonly SocketEndpoint[],
): SocketServer =>
  createSocketServer({
    ...shared,
    endpoints,
    cookies: {
      sessionCookie: config.sessionCookieName,
      publicUrl: config.publicUrl,
      origins: cookieOrigins(config),
    },
    addressOf: createClientAddress(config),
    countRequest: async (address) => authentication.services.limits.request?.(address),
    messageSize: config.messageSize ?? config.payloadSize,
    observe,
  })

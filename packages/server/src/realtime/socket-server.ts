import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@tain/contract'
import { WebSocketServer, type WebSocket } from 'ws'
import type { SocketAuthMode } from '../config/realtime.ts'
import type { Observe } from '../observe.ts'
import type { CallContext } from '../procedure.ts'
import type { Caller, Callers } from './callers.ts'
import { closeCodes, returnHint } from './close-codes.ts'
import { holderOf, type Place, type Places } from './places.ts'
import { tokenOfUpgrade, type CookieRules } from './socket-credentials.ts'
import { refuseUpgrade, shownError } from './socket-refusal.ts'

/** A connection that has just been opened. */
export interface Opening {
  /** Who sent credentials along, or the public where it may connect; null: nobody has signed in yet. */
  readonly caller: Caller | null
  /** Why the credentials of a connection that is open to the public were not taken; null: they were, or there were none. */
  readonly refusal: ServiceError | null
  readonly client: CallContext['client']
  readonly place: Place
}

/** An address that connections can be opened at. */
export interface SocketEndpoint {
  readonly path: string
  readonly mode: SocketAuthMode
  /** Most connections; null: no limit. */
  readonly most: number | null
  /** The sub-protocol among those that the client offers; false: none of them. */
  readonly protocol?: (offered: ReadonlySet<string>) => string | false
  readonly open: (socket: WebSocket, opening: Opening) => void
}

export interface SocketServerOptions {
  readonly endpoints: readonly SocketEndpoint[]
  readonly callers: Pick<Callers, 'find'>
  readonly places: Places
  readonly cookies: CookieRules
  readonly addressOf: (request: IncomingMessage) => string | null
  /** Counts the upgrade among the requests of its address; throws if there are too many. */
  readonly countRequest: (address: string | null) => Promise<unknown>
  /** Bytes. */
  readonly messageSize: number
  readonly observe: Observe
}

export interface SocketServer {
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Tells all clients to come back, and waits for the end of their connections. */
  readonly stop: () => Promise<void>
}

/** How long an end that one side has announced is waited for. */
const CLOSE_TIMEOUT = 3000
const LONGEST_USER_AGENT = 1024

interface Served {
  readonly endpoint: SocketEndpoint
  readonly server: WebSocketServer
}

/** Opens connections at the addresses of the endpoints. What cannot be opened gets an ordinary response. */
export function createSocketServer(options: SocketServerOptions): SocketServer {
  const served = new Map(options.endpoints.map((endpoint) => [endpoint.path, serverOf(endpoint, options)]))
  let isStopping = false

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const found = served.get(path)
    if (found === undefined) throw new ServiceError('ROUTE_NOT_FOUND', `Route ${path} doesn't exist.`, { path })
    const refuseLate = () => {
      if (isStopping) throw new ServiceError('SERVICE_UNAVAILABLE')
    }
    refuseLate()
    const address = options.addressOf(request)
    await options.countRequest(address)
    // Its end has been told already, so nothing would give the place back.
    if (socket.destroyed) return
    const { endpoint, server } = found
    const place = options.places.take(endpoint.most, endpoint.path)
    if (place === null) throw tooMany('SERVICE_UNAVAILABLE')
    socket.once('close', place.leave)
    const { caller, refusal } = await callerOf(request, address, endpoint, options)
    if (!place.hold(holderOf(caller?.actor.user ?? null, address))) throw tooMany('REQUESTS_EXCEEDED')
    // Nobody would tell it that the service stops, which waits for all connections.
    refuseLate()
    const { origin = null, 'user-agent': userAgent } = request.headers
    const client = { ip: address, userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null, origin }
    server.handleUpgrade(request, socket, head, (opened) => endpoint.open(opened, { caller, refusal, client, place }))
  }

  return {
    upgrade(request, socket, head) {
      const ignore = () => undefined
      socket.on('error', ignore)
      upgrade(request, socket, head).then(
        () => socket.off('error', ignore),
        (error: unknown) => {
          const shown = shownError(error)
          if (shown.status === 500) options.observe({ kind: 'realtime-failed', what: 'upgrade', error })
          refuseUpgrade(socket, shown, isAboutToken(shown) ? 401 : shown.status)
        },
      )
    },
    async stop() {
      isStopping = true
      await Promise.all([...served.values()].map(({ server }) => endAll(server)))
    },
  }
}

const serverOf = (endpoint: SocketEndpoint, { messageSize }: SocketServerOptions): Served => ({
  endpoint,
  server: new WebSocketServer({
    ...serverOptions,
    maxPayload: messageSize,
    ...(endpoint.protocol === undefined ? {} : { handleProtocols: endpoint.protocol }),
  }),
})

const serverOptions = {
  noServer: true,
  // Compression keeps windows of memory for each connection.
  perMessageDeflate: false,
  closeTimeout: CLOSE_TIMEOUT,
}

async function callerOf(
  request: IncomingMessage,
  address: string | null,
  { mode }: SocketEndpoint,
  { callers, cookies }: SocketServerOptions,
): Promise<Pick<Opening, 'caller' | 'refusal'>> {
  const token = tokenOfUpgrade(request, cookies)
  if (token === null && mode === 'strict') throw new ServiceError('INVALID_CREDENTIALS')
  if (token === null && mode === 'handshake') return { caller: null, refusal: null }
  try {
    return { caller: await callers.find({ token, address }), refusal: null }
  } catch (error) {
    const shown = shownError(error)
    if (token === null || mode !== 'public' || (shown.status !== 401 && shown.status !== 403)) throw error
    return { caller: await callers.find({ token: null, address }), refusal: shown }
  }
}

/** A token that is no token is refused like a wrong one. */
const isAboutToken = ({ code }: ServiceError) => code === 'INVALID_TOKEN'

const tooMany = (code: 'SERVICE_UNAVAILABLE' | 'REQUESTS_EXCEEDED') =>
  new ServiceError(code, 'Too many connections are open. Close some, or try again later.')

async function endAll({ clients }: WebSocketServer): Promise<void> {
  const ends = [...clients].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())))
  for (const socket of clients) socket.close(closeCodes.restart, returnHint())
  await Promise.all(ends)
}

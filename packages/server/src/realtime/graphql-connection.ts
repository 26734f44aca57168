import type { WebSocket } from 'ws'
import { createMutex, type Mutex } from '../lib/mutex.ts'
import { hasRunOut, type Caller } from './callers.ts'
import { closeCodes, type CloseReason } from './close-codes.ts'
import type { Audience, Hub, Subscription } from './hub.ts'
import type { Opening } from './socket-server.ts'

/** An open connection of the socket for GraphQL. */
export interface GraphqlConnection extends Pick<Opening, 'client' | 'place'> {
  readonly socket: WebSocket
  readonly audience: Audience
  /** Who speaks; null: nobody has signed in yet. */
  caller: Caller | null
  /** Ends the watch over the caller's credentials. */
  unwatch: () => void
  /** Those that have begun and not ended. */
  readonly subscriptions: Set<Subscription>
  /** Operations of the current second, and when that began. */
  begun: { count: number; since: number }
  /** Operations begin one after the other: who hears of a later one knows that the earlier ones have begun. */
  readonly turns: Mutex
  hasAnswered: boolean
  /** Bytes of messages that alone are larger than what may wait. */
  large: number
}

export function createGraphqlConnection(
  socket: WebSocket,
  { caller, client, place }: Pick<Opening, 'caller' | 'client' | 'place'>,
): GraphqlConnection {
  const connection: GraphqlConnection = {
    socket,
    client,
    place,
    audience: { actor: () => currentCaller(connection)?.actor ?? null },
    caller,
    unwatch: () => undefined,
    subscriptions: new Set(),
    begun: { count: 0, since: performance.now() },
    turns: createMutex(),
    hasAnswered: true,
    large: 0,
  }
  return connection
}

export const currentCaller = ({ caller }: GraphqlConnection): Caller | null =>
  caller === null || hasRunOut(caller) ? null : caller

export function endConnection({ socket }: GraphqlConnection, reason: CloseReason): void {
  if (socket.readyState === socket.OPEN) socket.close(closeCodes[reason])
}

/** Subscriptions that end with their connection, whatever becomes of their results. */
export const subscribeFor = (
  { socket, subscriptions }: GraphqlConnection,
  hub: Pick<Hub, 'subscribe'>,
): Pick<Hub, 'subscribe'> => ({
  async subscribe(audience, wish, tell) {
    const begun = await hub.subscribe(audience, wish, tell)
    const subscription: Subscription = {
      close() {
        if (subscriptions.delete(subscription)) begun.close()
      },
    }
    subscriptions.add(subscription)
    if (socket.readyState !== socket.OPEN) subscription.close()
    return subscription
  },
})

const SECOND = 1000

/** Whether one more operation may begin in this second. */
export function mayBegin(connection: GraphqlConnection, most: number): boolean {
  const now = performance.now()
  if (now - connection.begun.since >= SECOND) connection.begun = { count: 0, since: now }
  connection.begun.count += 1
  return connection.begun.count <= most
}

/**
 * Sends a message, unless too much waits already. A message larger than what may wait is sent all the same if the client
 * has read those before it, and does not count until it has been read.
 */
export function sendText(connection: GraphqlConnection, text: string, mostWaiting: number): void {
  const { socket } = connection
  if (socket.readyState !== socket.OPEN) return
  const waits = socket.bufferedAmount
  if (waits === 0) connection.large = 0
  if (waits > mostWaiting + connection.large) return endConnection(connection, 'slow')
  if (text.length > mostWaiting) connection.large += text.length
  socket.send(text)
}

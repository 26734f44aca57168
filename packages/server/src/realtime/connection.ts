import type { WebSocket } from 'ws'
import type { CallContext } from '../procedure.ts'
import { hasRunOut, type Caller } from './callers.ts'
import { closeCodes, type CloseReason } from './close-codes.ts'
import type { Audience, Subscription } from './hub.ts'
import type { Message, Misunderstood } from './message.ts'
import type { Place } from './places.ts'
import { createPace, type Pace } from './pacing.ts'

/** An open connection of the socket for items. */
export interface Connection {
  readonly socket: WebSocket
  readonly client: CallContext['client']
  readonly place: Place
  readonly audience: Audience
  /** Who speaks; null: nobody has signed in, or what they signed in with has run out. */
  caller: Caller | null
  /** Somebody has signed in at least once. */
  hasSignedIn: boolean
  /** Milliseconds of `performance.now()` by which somebody has to sign in; null: nobody has to. */
  deadline: number | null
  /** Ends the watch over the caller's credentials. */
  unwatch: () => void
  /** Messages that wait for those before them. */
  readonly waiting: (Message | Misunderstood)[]
  isWorking: boolean
  /** Messages of the current second, and when that began. */
  heard: { count: number; since: number }
  readonly openedAt: number
  heardAt: number
  pingedAt: number
  /** Bytes of a message that alone is larger than what may wait. */
  large: number
  /** Subscriptions by the text of their uid; those without one by themselves. */
  readonly subscriptions: Map<string | symbol, Subscription>
  /** Events are sent by it. */
  readonly pace: Pace
}

export function createConnection(
  socket: WebSocket,
  { caller, client, place }: Pick<Connection, 'caller' | 'client' | 'place'>,
): Connection {
  const now = performance.now()
  const connection: Connection = {
    socket,
    client,
    place,
    audience: { actor: () => currentCaller(connection)?.actor ?? null },
    caller,
    hasSignedIn: false,
    deadline: null,
    unwatch: () => undefined,
    waiting: [],
    isWorking: false,
    heard: { count: 0, since: now },
    openedAt: now,
    heardAt: now,
    pingedAt: now,
    large: 0,
    subscriptions: new Map(),
    pace: createPace(),
  }
  return connection
}

/** Who speaks now: a token that has run out stands for nobody, also before the client was told. */
export const currentCaller = ({ caller }: Connection): Caller | null =>
  caller === null || hasRunOut(caller) ? null : caller

export const isOpen = ({ socket }: Connection): boolean => socket.readyState === socket.OPEN

export function close({ socket }: Connection, reason: CloseReason): void {
  if (socket.readyState === socket.OPEN) socket.close(closeCodes[reason])
}

/**
 * Sends a message, unless too much waits already. What is sent to a client that has read everything before is sent whatever
 * its size, and does not count until it has been read.
 */
export function send(connection: Connection, frame: string | Buffer, mostWaiting: number): void {
  if (!isOpen(connection)) return
  const { socket } = connection
  const waits = socket.bufferedAmount
  if (waits === 0) connection.large = frame.length > mostWaiting ? frame.length : 0
  if (waits > mostWaiting + connection.large) return close(connection, 'slow')
  socket.send(frame, AS_TEXT)
}

const AS_TEXT = { binary: false }

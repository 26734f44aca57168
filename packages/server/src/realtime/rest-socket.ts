import { setTimeout as sleep } from 'node:timers/promises'
import { invalidPayload, ServiceError } from '@tain/contract'
import { close, createConnection, currentCaller, isOpen, type Connection } from './connection.ts'
import { answerAuth, expire, refuseFirst, signedIn, timeOut } from './connection-auth.ts'
import { answerItems } from './connection-items.ts'
import { closeSubscriptions, subscribe, unsubscribe } from './connection-subscriptions.ts'
import { answer, errorAnswer, readMessage, type Message } from './message.ts'
import { shownError } from './socket-refusal.ts'
import type { SocketEndpoint } from './socket-server.ts'
import { say, type SocketServices } from './socket-services.ts'

export interface RestSocket {
  readonly endpoint: SocketEndpoint
  readonly start: () => void
  readonly stop: () => void
}

/** How often connections are looked at for what is due. */
const TURN = 250
/** More messages than this wait outside of the service. */
const MOST_WAITING = 32
const DRAIN_TURN = 20

/** The socket for items: one JSON object per message, answered in turn. */
export function createRestSocket(services: SocketServices): RestSocket {
  const { config } = services
  const connections = new Set<Connection>()
  let timer: NodeJS.Timeout | null = null

  const endpoint: SocketEndpoint = {
    path: config.restSocketPath,
    mode: config.restSocketAuth,
    most: config.restSocketConnections,
    open(socket, opening) {
      const connection = createConnection(socket, opening)
      connections.add(connection)
      socket.on('message', (data: Buffer) => receive(connection, data, services))
      // The end of the connection follows.
      socket.on('error', () => undefined)
      socket.once('close', () => {
        connections.delete(connection)
        connection.unwatch()
        connection.waiting.length = 0
        closeSubscriptions(connection)
      })
      if (opening.caller !== null) signedIn(connection, opening.caller, services)
      else connection.deadline = performance.now() + config.restSocketAuthTimeout * 1000
      if (opening.refusal !== null)
        say(connection, errorAnswer('auth', undefined, authFailed(opening.refusal)), services)
    },
  }

  return {
    endpoint,
    start() {
      timer = setInterval(() => {
        const now = performance.now()
        for (const connection of connections) lookAt(connection, now, services)
      }, TURN)
      timer.unref()
    },
    stop() {
      if (timer !== null) clearInterval(timer)
    },
  }
}

const authFailed = ({ message }: ServiceError) => new ServiceError('AUTH_FAILED', message)

/** Does what is due: an end for want of a sign-in, a token that has run out, a ping. */
function lookAt(connection: Connection, now: number, services: SocketServices): void {
  const { caller, deadline } = connection
  if (deadline !== null && now >= deadline) return timeOut(connection, services)
  if (caller !== null && currentCaller(connection) === null) expire(connection, services)
  const { hasHeartbeat, heartbeatPeriod } = services.config
  // Who has not signed in yet has a deadline already.
  if (!hasHeartbeat || deadline !== null || now - connection.pingedAt < heartbeatPeriod * 1000) return
  // What waits or is worked off was heard, although nothing is read meanwhile.
  const isSilent = connection.heardAt < connection.pingedAt && !connection.isWorking
  if (isSilent && connection.pingedAt > connection.openedAt) return close(connection, 'silent')
  connection.pingedAt = now
  say(connection, PING, services)
}

const PING = JSON.stringify({ type: 'ping' })

function receive(connection: Connection, data: Buffer, services: SocketServices): void {
  if (!isOpen(connection)) return
  connection.heardAt = performance.now()
  const message = readMessage(data)
  const isFirst = connection.caller === null && connection.deadline !== null && !connection.hasSignedIn
  if (isFirst && connection.waiting.length === 0 && !connection.isWorking) {
    if ('error' in message || message.type !== 'auth') return refuseFirst(connection, message.uid, services)
  }
  const isAbove = isAboveRate(connection, services.config.messageRate)
  connection.waiting.push(isAbove ? { error: new ServiceError('REQUESTS_EXCEEDED'), uid: message.uid } : message)
  if (connection.waiting.length >= MOST_WAITING) connection.socket.pause()
  if (!connection.isWorking) void workOff(connection, services)
}

function isAboveRate({ heard, heardAt: now }: Connection, most: number): boolean {
  if (now - heard.since >= 1000) {
    heard.since = now
    heard.count = 0
  }
  heard.count += 1
  return heard.count > most
}

/** Works off the messages of a connection, one after the other. */
async function workOff(connection: Connection, services: SocketServices): Promise<void> {
  const { waiting, socket } = connection
  connection.isWorking = true
  for (let message = waiting.shift(); message !== undefined && isOpen(connection); message = waiting.shift()) {
    const work = 'error' in message ? undefined : handlers[message.type]
    if ('error' in message) say(connection, errorAnswer('server', message.uid, message.error), services)
    else if (work === undefined) say(connection, errorAnswer('server', message.uid, unknownType(message)), services)
    else await settled(message, work, connection, services)
    if (socket.isPaused && waiting.length === 0) socket.resume()
    if (!(await isRead(connection, services))) close(connection, 'slow')
  }
  connection.isWorking = false
}

/** Answers that nobody reads are not made. False: for a whole period the client has read nothing of what waits. */
async function isRead(connection: Connection, { config }: SocketServices): Promise<boolean> {
  const { socket } = connection
  let [least, since] = [socket.bufferedAmount, performance.now()]
  while (isOpen(connection) && socket.bufferedAmount > config.realtimeBuffer) {
    if (socket.bufferedAmount < least) [least, since] = [socket.bufferedAmount, performance.now()]
    if (performance.now() - since > config.heartbeatPeriod * 1000) return false
    await sleep(DRAIN_TURN)
  }
  return true
}

type Handler = (message: Message, connection: Connection, services: SocketServices) => void | Promise<void>

const handlers: Readonly<Record<string, Handler>> = Object.assign(Object.create(null) as Record<string, Handler>, {
  auth: answerAuth,
  ping: ({ uid }, connection, services) => say(connection, answer('pong', uid), services),
  pong: () => undefined,
  items: answerItems,
  subscribe,
  unsubscribe,
} satisfies Record<string, Handler>)

async function settled(
  message: Message,
  work: Handler,
  connection: Connection,
  services: SocketServices,
): Promise<void> {
  try {
    await work(message, connection, services)
  } catch (error) {
    const shown = shownError(error)
    if (shown.status === 500) services.observe({ kind: 'realtime-failed', what: message.type, error })
    say(connection, errorAnswer(message.type, message.uid, shown), services)
  }
}

const unknownType = ({ type }: Message) =>
  invalidPayload(
    `There is no message of the type "${type.slice(0, 64)}"; there are ${Object.keys(handlers).join(', ')}`,
  )

import { isTainError, TainError, unanswered, type TainErrorCode } from './errors.ts'
import { openSocket, type Message, type Socket } from './realtime-socket.ts'
import { backoff } from './retry.ts'
import type { Access } from './transport.ts'

export interface RealtimeOptions {
  /** The address of the socket at the service: `/websocket` by default. */
  path?: string
  /** `strict`: the token is sent in the address, for services that refuse connections without one. */
  authMode?: 'handshake' | 'strict'
  /** In place of the global one, for Node before version 22. */
  webSocket?: typeof WebSocket
  /** Milliseconds between two pings, which find connections that were lost without a word: 30 000 by default. */
  heartbeat?: number
  /** Attempts to connect again after each other: without end by default. */
  retries?: number
  /** Called when the connection is there, and when it is lost. */
  onConnection?: (state: 'open' | 'lost') => void
}

interface Listener {
  /** The connection is there, or there again: nothing of what was sent before counts. */
  readonly opened: () => void
  readonly received: (message: Message) => void
  /** There will be no further attempt. */
  readonly failed: (error: unknown) => void
}

export interface Connection {
  /** False: there is no connection now. */
  readonly send: (message: Message) => boolean
  readonly end: () => void
}

const HEARTBEAT = 30_000
/** Tokens with a short life are not renewed more often. */
const SOON = 1000
const LONGEST_TIMER = 2 ** 31 - 1
/** Closed for what the client has sent: it would send the same again. */
const hopeless = new Set([1002, 1003, 1007, 1009])
const RESTARTS = 1012
const UNAUTHORIZED = 4401

export const errorOf = (error: unknown, fallback: TainErrorCode): TainError => {
  const { code = fallback, message = 'The service has ended it.' } = (error ?? {}) as {
    code?: TainErrorCode
    message?: string
  }
  return new TainError(0, [{ message, extensions: { code } }])
}

/** Refusals and losses that pass. */
export const passes = (error: unknown): boolean =>
  isTainError(error, 'NETWORK', 'TIMEOUT', 'SERVICE_UNAVAILABLE', 'REQUESTS_EXCEEDED') ||
  (isTainError(error) && error.status >= 500)

const tokenOf = (header: string | null) => header?.replace(/^Bearer /u, '') ?? null

interface State {
  readonly access: Access
  readonly options: RealtimeOptions
  readonly listener: Listener
  socket: Socket | null
  /** Signed in, if somebody is to. */
  isReady: boolean
  isOver: boolean
  /** Attempts to connect since the last success. */
  attempts: number
  /** Refusals of the caller since the last success, and the last one. */
  refusals: number
  refusal: TainError | null
  /** The credentials that were sent, and when they were asked for. */
  used: { readonly header: string | null; readonly at: number }
  readonly timers: Set<ReturnType<typeof setTimeout>>
}

/** A connection that comes back by itself, signed in. */
export function createConnection(access: Access, options: RealtimeOptions, listener: Listener): Connection {
  const state: State = {
    access,
    options,
    listener,
    socket: null,
    isReady: false,
    isOver: false,
    attempts: 0,
    refusals: 0,
    refusal: null,
    used: { header: null, at: 0 },
    timers: new Set(),
  }
  attempt(state, connect)
  return {
    send(message) {
      if (state.isReady) state.socket?.send(message)
      return state.isReady
    },
    end() {
      state.isOver = true
      leave(state)
    },
  }
}

function later({ timers }: State, wait: number, work: () => void): void {
  const done = () => {
    timers.delete(timer)
    work()
  }
  const timer = setTimeout(done, Math.min(wait, LONGEST_TIMER))
  timers.add(timer)
}

function leave(state: State): void {
  state.isReady = false
  for (const timer of state.timers) clearTimeout(timer)
  state.timers.clear()
  state.socket?.leave()
  state.socket = null
}

function fail(state: State, error: unknown): void {
  if (state.isOver) return
  state.isOver = true
  leave(state)
  state.listener.failed(error)
}

/** Work that may fail because the service is away, which it may be for a while. */
function attempt(state: State, work: (state: State) => Promise<void>): void {
  work(state).catch((error: unknown) => (passes(error) ? lost(state, 0, '') : fail(state, error)))
}

async function connect(state: State): Promise<void> {
  const { access, options } = state
  const { path = '/websocket', authMode = 'handshake', heartbeat = HEARTBEAT, webSocket = WebSocket } = options
  const at = Date.now()
  const header = await access.credentials.header()
  if (state.isOver) return
  state.used = { header, at }
  const token = tokenOf(header)
  const isInAddress = authMode === 'strict' && token !== null
  const query = isInAddress ? `?access_token=${encodeURIComponent(token)}` : ''
  state.socket = openSocket(`${access.url.replace(/^http/u, 'ws')}${path}${query}`, webSocket, heartbeat, {
    opened: () => (isInAddress || token === null ? ready(state) : signIn(state)),
    received: (message) => receive(state, message),
    lost: (code, reason) => lost(state, code, reason),
  })
}

const signIn = ({ socket, used }: State) => socket?.send({ type: 'auth', access_token: tokenOf(used.header) })

function ready(state: State): void {
  state.attempts = 0
  state.refusals = 0
  if (state.isReady) return
  state.isReady = true
  state.options.onConnection?.('open')
  attempt(state, planRenewal)
  state.listener.opened()
}

/** Renews the token before it runs out. That it has run out all the same is noticed, but takes a new connection. */
async function planRenewal(state: State): Promise<void> {
  const { credentials } = state.access
  const at = await credentials.renewAt()
  if (at === null || !state.isReady || state.used.header === null) return
  const renew = async () => {
    const began = Date.now()
    state.used = { header: await credentials.header(), at: began }
    if (state.isReady) signIn(state)
    await planRenewal(state)
  }
  later(state, Math.max(at - Date.now(), SOON), () => attempt(state, renew))
}

function receive(state: State, message: Message): void {
  if (message['type'] !== 'auth') return state.listener.received(message)
  if (message['status'] === 'ok') return ready(state)
  state.refusal = errorOf(message['error'], 'INVALID_CREDENTIALS')
  // The service may wait for another token. The connection is left, so that no change is missed meanwhile.
  lost(state, UNAUTHORIZED, '')
}

function lost(state: State, code: number, reason: string): void {
  if (state.isOver) return
  const { options, isReady, refusal, attempts } = state
  leave(state)
  if (isReady) options.onConnection?.('lost')
  if (hopeless.has(code))
    return fail(state, unanswered('NETWORK', `The service has closed the connection with ${code}.`, reason))
  if (attempts >= (options.retries ?? Infinity))
    return fail(state, unanswered('NETWORK', 'The server could not be reached.', null))
  if (code === UNAUTHORIZED && !passes(refusal)) return attempt(state, signInAnew)
  state.refusal = null
  state.attempts += 1
  const wait = code === RESTARTS && /^\d{1,5}$/u.test(reason) ? Number(reason) : backoff(attempts)
  later(state, wait, () => attempt(state, connect))
}

/** Once: a new token that is refused, too, is a refusal. */
async function signInAnew(state: State): Promise<void> {
  const { credentials } = state.access
  const { used, refusals, refusal } = state
  const error = refusal ?? errorOf(null, 'INVALID_CREDENTIALS')
  state.refusal = null
  state.refusals += 1
  if (refusals > 0) return fail(state, error)
  const isRenewed = await credentials.renew(used.header, used.at)
  if (!isRenewed && error.code !== 'TOKEN_EXPIRED' && (await credentials.header()) === used.header)
    return fail(state, error)
  later(state, backoff(0), () => attempt(state, connect))
}

import { Readable } from 'node:stream'
import { ServiceError } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { Credentials } from '../auth/authenticate.ts'
import type { Engine } from '../engine/engine.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import type { CallerWatch } from './caller-watch.ts'
import { hasRunOut, type Caller, type Callers } from './callers.ts'
import { messageOf } from './frames.ts'
import type { Hub, Told } from './hub.ts'
import { holderOf, type Places } from './places.ts'
import { wishIn, type WrittenWish } from './wish.ts'

/** A request for a stream of events. */
export interface StreamRequest {
  readonly credentials: Credentials
  /** Whose rights apply: mostly the caller's own. */
  readonly actor: Actor
  /** The caller is an administrator who reads with the permissions of another user, and may do so only while being one. */
  readonly isViewed: boolean
  readonly wish: WrittenWish
  /** Whether messages are whole, as on a socket, instead of their data. */
  readonly hasEnvelope: boolean
  /** Bytes that the connection has not taken yet. */
  readonly waiting: () => number
}

export interface EventStreams {
  /** Refuses as the same read would be refused, before anything is sent. */
  readonly open: (request: StreamRequest) => Promise<Readable>
  readonly start: () => void
  /** Ends all streams: browsers come back by themselves. */
  readonly stop: () => void
}

export interface StreamOptions {
  readonly engine: Pick<Engine, 'schema'>
  readonly limits: QueryLimits
  readonly callers: Pick<Callers, 'find'>
  readonly watch: Pick<CallerWatch, 'add'>
  readonly places: Places
  readonly hub: Hub | null
  /** Bytes. */
  readonly buffer: number
}

const TURN = 250
const COMMENT_INTERVAL = 15_000
/** Milliseconds after which a browser comes back. */
const RETRY = 2000

interface OpenStream {
  readonly readable: Readable
  readonly caller: Caller
  commentedAt: number
}

/** Subscriptions over plain HTTP, as server-sent events. */
export function createEventStreams(options: StreamOptions): EventStreams {
  const { engine, limits, callers, watch, places, hub, buffer } = options
  const open = new Set<OpenStream>()
  let timer: NodeJS.Timeout | null = null

  function lookAt(stream: OpenStream, now: number): void {
    // A stream ends with its token.
    if (hasRunOut(stream.caller)) return put(stream.readable, null)
    if (now - stream.commentedAt < COMMENT_INTERVAL) return
    stream.commentedAt = now
    put(stream.readable, ':\n\n')
  }

  return {
    async open(request) {
      if (hub === null) throw noLog()
      const wish = { ...wishIn(request.wish, engine.schema(), limits), tellsPositions: true }
      const caller = await callers.find(request.credentials)
      const ends = [placeOf(caller, places)]
      const readable = readableWith(ends)
      readable.push(`retry: ${RETRY}\n\n`)
      try {
        const audience = {
          actor: () => (hasRunOut(caller) ? null : request.actor),
          viewer: request.isViewed ? caller.actor : null,
        }
        const subscription = await hub.subscribe(audience, wish, tellInto(readable, request, buffer))
        ends.push(() => subscription.close())
      } catch (error) {
        readable.destroy()
        throw error
      }
      const stream = { readable, caller, commentedAt: performance.now() }
      open.add(stream)
      ends.push(() => open.delete(stream), watch.add({ caller, lost: () => put(readable, null) }))
      return readable
    },
    start() {
      timer = setInterval(() => {
        const now = performance.now()
        for (const stream of open) lookAt(stream, now)
      }, TURN)
      timer.unref()
    },
    stop() {
      if (timer !== null) clearInterval(timer)
      for (const { readable } of open) put(readable, null)
    },
  }
}

/** Takes a place for the stream; returns what gives it back. */
function placeOf({ actor, credentials }: Caller, places: Places): () => unknown {
  const place = places.take(null, 'stream')
  if (place?.hold(holderOf(actor.user, credentials.address)) === true) return place.leave
  place?.leave()
  throw new ServiceError('REQUESTS_EXCEEDED', 'Too many connections are open. Close some, or try again later.')
}

/** `ends` run when it has ended, however that came. */
const readableWith = (ends: readonly (() => unknown)[]): Readable =>
  new Readable({
    read: () => undefined,
    destroy(error, done) {
      for (const end of ends) end()
      done(error)
    },
  })

const ended = new WeakSet<Readable>()

/** null: that was all. Nothing follows the end. */
function put(readable: Readable, text: string | null): void {
  if (readable.destroyed || ended.has(readable)) return
  if (text === null) ended.add(readable)
  readable.push(text)
}

const tellInto =
  (readable: Readable, { hasEnvelope, waiting }: StreamRequest, buffer: number) =>
  (told: Told): void => {
    // The client comes back with the last position that it has read.
    if (told.kind !== 'init' && readable.readableLength + waiting() > buffer) return void readable.destroy()
    put(readable, eventOf(told, hasEnvelope))
    if (told.kind === 'error') put(readable, null)
  }

const noLog = () =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The service keeps no log of changes (EVENTS_ENABLED is false).')

/** One event of a stream. JSON has no line breaks outside of escapes, so its data is one line. */
function eventOf(told: Told, hasEnvelope: boolean): string {
  // An id alone is no event, but the browser goes on from there.
  if (told.kind === 'position') return `id: ${told.position}\n\n`
  if (told.kind === 'error') {
    const { code, message } = told.error
    const data = hasEnvelope ? messageOf(told, null) : JSON.stringify({ code, message })
    return `event: error\ndata: ${data}\n\n`
  }
  const data = hasEnvelope ? messageOf(told, null) : (told.data ?? 'null')
  return `event: ${told.kind}\nid: ${told.position}\ndata: ${oneLine(data)}\n\n`
}

/** A database may give JSON as it was stored, with line breaks between its members. */
const oneLine = (json: string): string => (/[\r\n]/u.test(json) ? json.replace(/[\r\n]+/gu, ' ') : json)

import { timingSafeEqual } from 'node:crypto'
import { invalidPayload } from '@tain/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { LAST_POSITION, laterOf, type LogPosition } from '../lib/log-position.ts'
import type { Freshness } from '../lib/request-context.ts'
import type { Browser } from './browser.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** null: all its rows come from the primary. */
    freshness: Freshness | null
  }
}

export interface PositionOptions {
  /** A signature that only this service can compute. */
  readonly sign: (text: string) => string
  /** Milliseconds after which every reader has replayed a write, or is not asked. */
  readonly lagMax: number
  readonly now?: () => number
}

/** Remembers where a caller last wrote: in a header, in a cookie of browsers, and in this process. */
export interface Positions {
  /** Reads what the client sent. Throws for a header that is no position. */
  readonly begin: (request: FastifyRequest, browser: Browser) => Freshness
  /** Adds what this process knows of the caller, for clients that send nothing. */
  readonly join: (request: FastifyRequest, user: string | null) => void
  /** The position of a request that has written, for the client to send back; null: it has not. */
  readonly tell: (request: FastifyRequest) => string | null
  readonly lagMax: number
}

export const POSITION_HEADER = 'x-service-position'

const form = /^([\dA-F]{1,8}-[\dA-F]{1,8})\.(\d{1,12})\.([\w-]{43})$/u
/** Clocks of replicas differ. */
const CLOCKS = 60_000
const MOST_USERS = 10_000

export function createPositions({ sign, lagMax, now = Date.now }: PositionOptions): Positions {
  const byUser = new LRUCache<string, LogPosition>({ max: MOST_USERS, ttl: lagMax })
  const users = new WeakMap<FastifyRequest, string>()

  const written = (position: LogPosition): string => {
    const text = `${position.replace('/', '-')}.${Math.floor(now() / 1000)}`
    return `${text}.${sign(text)}`
  }

  /** A position that cannot be checked is honoured as one that no reader has reached. undefined: it is none at all. */
  const positionIn = (text: string): LogPosition | null | undefined => {
    const [, position = '', seconds = '', signature = ''] = form.exec(text) ?? []
    if (position === '') return undefined
    if (Number(seconds) * 1000 + lagMax + CLOCKS < now()) return null
    const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(`${position}.${seconds}`)))
    return isOurs ? position.replace('-', '/') : LAST_POSITION
  }

  return {
    lagMax,
    begin(request, { cookies }) {
      const header = request.headers[POSITION_HEADER]
      const given = typeof header === 'string' ? positionIn(header) : null
      if (given === undefined)
        throw invalidPayload('X-Service-Position has to be a value of an earlier response; leave it out otherwise')
      const cookie = cookies.read(request).position
      const kept = cookie === null ? null : positionIn(cookie)
      return { position: laterOf(given, kept === undefined ? LAST_POSITION : kept), hasWritten: false }
    },
    join(request, user) {
      const { freshness } = request
      if (freshness === null) return
      const name = user ?? ''
      users.set(request, name)
      freshness.position = laterOf(freshness.position, byUser.get(name) ?? null)
    },
    tell(request) {
      const { freshness } = request
      if (freshness?.hasWritten !== true || freshness.position === null) return null
      const user = users.get(request)
      if (user !== undefined) byUser.set(user, laterOf(byUser.get(user) ?? null, freshness.position) ?? LAST_POSITION)
      return written(freshness.position)
    },
  }
}

/** Tells the client of a request that has written where its reads have to begin. */
export function tellPositions(app: FastifyInstance, positions: Positions, { cookies }: Browser): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const position = positions.tell(request)
    if (position !== null) {
      void reply.header(POSITION_HEADER, position)
      if (cookies.read(request).session !== null) cookies.set(reply, 'position', position, positions.lagMax + 1000)
    }
    done(null, payload)
  })
}

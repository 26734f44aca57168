import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Actor } from '../access/actor.ts'
import type { Authenticate } from '../auth/authenticate.ts'
import type { Attempt, Outcome } from '../system/procedures/system-services.ts'

/** Simulated requests on behalf of an actor. They run like real ones, as dry runs. */
export interface Attempts {
  /** Accepts the tokens of simulated requests in progress as well as those of callers. */
  readonly authenticate: Authenticate
  readonly attempt: (actor: Actor, request: Attempt) => Promise<Outcome>
  readonly serveBy: (server: FastifyInstance) => void
}

export function createAttempts(authenticate: Authenticate): Attempts {
  const actors = new Map<string, Actor>()
  let server: FastifyInstance | null = null

  return {
    authenticate: (credentials) =>
      (credentials.token === null ? undefined : actors.get(credentials.token)) ?? authenticate(credentials),

    async attempt(actor, { method, path, query, body, address }) {
      if (server === null) throw new TypeError('there is no server yet')
      const token = `attempt ${randomUUID()}${randomUUID()}`.replace(' ', '-')
      actors.set(token, actor)
      try {
        const isSearch = method === 'SEARCH' || method === 'QUERY'
        const sent = isSearch && body === undefined && query !== null ? { query } : body
        const answer = await server.inject({
          method: method as 'GET',
          url: isSearch || query === null ? path : withQuery(path, query),
          headers: { authorization: `Bearer ${token}`, prefer: 'tx=rollback' },
          ...(address === null ? {} : { remoteAddress: address }),
          ...(sent === undefined ? {} : { payload: sent as object }),
        })
        return { status: answer.statusCode, message: messageIn(answer.body) }
      } finally {
        actors.delete(token)
      }
    },

    serveBy(app) {
      server = app
    },
  }
}

const messageIn = (text: string): string | null => {
  try {
    const { errors } = JSON.parse(text) as { errors?: readonly { message?: string }[] }
    return errors?.[0]?.message ?? null
  } catch {
    return null
  }
}

/** Converts a JSON query to URL parameters. */
function withQuery(path: string, query: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => {
    const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string')
    const texts = isList ? value : [typeof value === 'string' ? value : JSON.stringify(value)]
    return texts.map((text) => `${encodeURIComponent(name)}${isList ? '[]' : ''}=${encodeURIComponent(text)}`)
  })
  if (parameters.length === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${parameters.join('&')}`
}

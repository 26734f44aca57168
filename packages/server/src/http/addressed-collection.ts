import type { FastifyReply, FastifyRequest } from 'fastify'

/** The collection that a URL addresses: by its name, or a system collection by its declared name. */
export interface Named {
  readonly name: string
  readonly isSystem: boolean
}

export type NamedBy = (request: FastifyRequest) => Named

/** Reads with the query in the body; also handles a POST with a method override. */
export type Search = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The URL without its query string, which may contain values and tokens. */
export function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

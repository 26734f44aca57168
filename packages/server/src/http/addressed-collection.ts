import type { FastifyReply, FastifyRequest } from 'fastify'

/** What an address names: a collection by its name, or one of the service's own by the name it is declared with. */
export interface Named {
  readonly name: string
  readonly isSystem: boolean
}

export type NamedBy = (request: FastifyRequest) => Named

/** Reads by a body; also what a POST with a method override means. */
export type Search = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** An address without its query, which may hold values and tokens. */
export function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

import type { FastifyReply, FastifyRequest } from 'fastify'

/** What an address names: a collection by its name, or one of the service's own by the name it is declared with. */
export interface Named {
  readonly name: string
  readonly isSystem: boolean
}

export type NamedBy = (request: FastifyRequest) => Named

/** Reads by a body; also what a POST with a method override means. */
export type Search = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

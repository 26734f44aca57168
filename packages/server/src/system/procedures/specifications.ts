import type { SpecificationProcedureName } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { Implementations } from '../../procedure.ts'

/** The GraphQL schema of everything the caller may access, as SDL in pieces. */
export type ReadSdl = (scope: 'items' | 'system', actor: Actor) => Promise<AsyncIterable<string>>

/** The OpenAPI document of everything the caller may do, in pieces. */
export type ReadOpenApi = (
  actor: Actor,
  version: string | null,
) => Promise<{ readonly pieces: readonly string[]; readonly tag: string }>

/** The schema as the caller may use it, as JSON text in pieces. */
export type ReadDescription = (actor: Actor) => Promise<{ readonly pieces: readonly string[]; readonly tag: string }>

/** How agents use the service, with the collections of the caller, as Markdown in pieces. */
export type ReadGuide = ReadDescription

/** Procedures that describe the interface of the service itself. */
export const createSpecificationProcedures = (
  sdl: ReadSdl,
  openApi: ReadOpenApi,
  description: ReadDescription,
): Implementations<SpecificationProcedureName> => ({
  readOpenApi: async ({ actor, input }) => openApi(actor, input.openapi ?? null),
  readDescription: async ({ actor }) => description(actor),
  readSdl: async ({ actor, input }) => {
    const scope = input.scope ?? 'items'
    return { name: `${scope}.graphql`, mediaType: 'text/plain', content: await sdl(scope, actor) }
  },
  showSdl: async ({ actor }) => sdl('items', actor),
})

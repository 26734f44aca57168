import { forbidden, invalidPayload, routes } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createArchive } from '../files/archive.ts'
import { archivedFiles, archivedFolder, type Archived } from '../files/archived.ts'
import { dispositionOf } from '../files/disposition.ts'
import type { Files } from '../files/files.ts'
import { isUuid } from '../lib/uuid.ts'
import { actorOf, type HttpContext } from './context.ts'

/** Several files as one zip, for callers who may read each of them. */
export function archiveRoutes(app: FastifyInstance, context: HttpContext, files: Files): void {
  const { engine, limits } = context
  app.route({
    method: [...routes.archiveFiles.methods],
    url: routes.archiveFiles.path,
    config: { dryRun: 'harmless' },
    handler: async (request, reply) => {
      const actor = await actorOf(request, context)
      return send(request, reply, 'files', await archivedFiles({ engine, limits, files }, actor, idsIn(request)), files)
    },
  })
  app.route({
    method: [...routes.archiveFolder.methods],
    url: routes.archiveFolder.path,
    config: { dryRun: 'harmless' },
    handler: async (request, reply) => {
      const { id } = request.params as { id: string }
      const actor = await actorOf(request, context)
      if (!isUuid(id)) throw forbidden()
      const { name, archived } = await archivedFolder({ engine, limits, files }, actor, id)
      return send(request, reply, name, archived, files)
    },
  })
}

function idsIn({ body }: FastifyRequest): readonly string[] {
  const { ids, ...others } = (typeof body === 'object' && !Array.isArray(body) ? (body ?? {}) : {}) as {
    readonly ids?: unknown
  }
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) throw invalidPayload(`"${unknown.slice(0, 64)}" is not allowed`)
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => typeof id === 'string'))
    throw invalidPayload('"ids" has to be a list of keys of files')
  if (!ids.every(isUuid)) throw forbidden()
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  archived: readonly Archived[],
  { storages }: Files,
): FastifyReply {
  request.leaveFlight()
  const entries = archived.map(({ row, path }) => ({
    path,
    type: row.type,
    modified: row.modified,
    open: async () => (await storages.at(row.storage)?.read(row.key ?? '')) ?? null,
  }))
  return reply
    .header('content-type', 'application/zip')
    .header('content-disposition', dispositionOf('attachment', `${name}.zip`))
    .header('cache-control', 'private, no-store')
    .send(createArchive(entries))
}

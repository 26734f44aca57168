import { routes, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { underNewest } from '../engine/items/under-newest.ts'
import { rootOf } from '../engine/write/root.ts'
import { importFile } from '../system/import/import.ts'
import { actorOf, originOf, type HttpContext } from './context.ts'
import { announced } from './dry-run.ts'
import { arrivingIn, boundaryIn, formFile, receiveForms } from './form-file.ts'

const nameIn = ({ params }: FastifyRequest) => (params as { collection: string }).collection

/** Receives a file of rows. */
export function importRoute(app: FastifyInstance, context: HttpContext): void {
  void app.register(async (scope) => {
    receiveForms(scope)
    scope.post(routes.importItems.path, { config: { isSlow: true, dryRun: 'honoured' } }, (request, reply) =>
      receiveImport(request, reply, context),
    )
  })
}

async function receiveImport(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): Promise<FastifyReply> {
  const actor = await actorOf(request, context)
  if (boundaryIn(request) === null) {
    const mediaType = request.headers['content-type'] ?? ''
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'A file is sent as multipart/form-data.', {
      mediaType,
      where: 'import',
    })
  }
  const { engine, imports } = context
  const collection = nameIn(request)
  const arriving = arrivingIn(request)
  try {
    await underNewest(engine, actor, (caller) => rootOf({ collection }, engine.schema(), caller))
    const { content, filename: fileName, type } = await formFile(request, arriving)
    const mediaType = type ?? 'application/octet-stream'
    const upload = { collection, content, fileName, mediaType, origin: originOf(request, context) }
    await importFile({ ...upload, isDryRun: announced(request, reply) }, actor, engine, imports)
  } catch (error) {
    await arriving.leave(imports.size)
    throw error
  }
  return reply.code(200).send()
}

import type { IncomingMessage } from 'node:http'
import multipart from '@fastify/multipart'
import { routes, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { underNewest } from '../engine/items/under-newest.ts'
import { rootOf } from '../engine/write/root.ts'
import { importFile } from '../system/import/import.ts'
import { actorOf, originOf, type HttpContext } from './context.ts'
import { announced } from './dry-run.ts'
import { formFile, refuseForm } from './form-file.ts'

const nameIn = ({ params }: FastifyRequest) => (params as { collection: string }).collection

/** Receives a file of rows. */
export function importRoute(app: FastifyInstance, context: HttpContext): void {
  void app.register(async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false, limits: { fileSize: Infinity, files: 1, fields: 20 } })
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
  if (!request.isMultipart()) {
    const mediaType = request.headers['content-type'] ?? ''
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'A file is sent as multipart/form-data.', {
      mediaType,
      where: 'import',
    })
  }
  const { engine, imports } = context
  const collection = nameIn(request)
  try {
    await underNewest(engine, actor, (caller) => rootOf({ collection }, engine.schema(), caller))
    const { file, filename: fileName, mimetype: mediaType } = await formFile(request)
    const upload = { collection, content: readPart(file), fileName, mediaType, origin: originOf(request, context) }
    await importFile({ ...upload, isDryRun: announced(request, reply) }, actor, engine, imports)
  } catch (error) {
    leave(request.raw, imports.size)
    throw error
  }
  return reply.code(200).send()
}

async function* readPart(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* file
  } catch (error) {
    refuseForm(error)
  }
}

/** Most clients read the response only after they have sent everything, so the rest is received and discarded. */
function leave(request: IncomingMessage, most: number): void {
  let size = 0
  request.unpipe()
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > most) request.destroy()
  })
  request.resume()
}

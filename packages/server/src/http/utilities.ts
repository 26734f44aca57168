import type { IncomingMessage } from 'node:http'
import multipart from '@fastify/multipart'
import { invalidPayload, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { collectionNames, noCollection } from '../query/resolve.ts'
import { findCollection } from '../schema/schema.ts'
import { importFile } from '../system/import/import.ts'
import { revertItem } from '../system/revert.ts'
import { actorOf, wantsDryRun, originOf, underNewest, type HttpContext } from './context.ts'
import { honoured } from './dry-run.ts'
import { formFile, refuseForm } from './form-file.ts'

const nameIn = ({ params }: FastifyRequest) => (params as { collection: string }).collection

/** /utils: operations on items other than plain reads and writes. */
export function utilityRoutes(app: FastifyInstance, context: HttpContext): void {
  const { engine } = context

  app.post('/utils/revert/:revision', honoured, async (request, reply) => {
    const { revision } = request.params as { revision: string }
    const actor = await actorOf(request, context)
    const isDryRun = announced(request, reply)
    await revertItem(revision, actor, originOf(request, context), isDryRun, context)
    return reply.code(204).send()
  })

  app.post('/utils/sort/:collection', honoured, async (request, reply) => {
    const actor = await actorOf(request, context)
    const collection = nameIn(request)
    await underNewest(actor, context, (caller) => checkUsable(collection, caller, context))
    const { item, to } = (request.body ?? {}) as { item?: unknown; to?: unknown }
    if (item === undefined || to === undefined) throw invalidPayload('"item" and "to" are required')
    const mutation = { kind: 'sort', collection, item, to } as const
    const write = { mutation, read: null, ifMatch: null, origin: originOf(request, context) }
    await engine.write(actor, [write], { isDryRun: announced(request, reply), claim: null })
    return reply.code(200).send()
  })

  void app.register(async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false, limits: { fileSize: Infinity, files: 1, fields: 20 } })
    scope.post('/utils/import/:collection', { config: { isSlow: true, dryRun: 'honoured' } }, (request, reply) =>
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
  const collection = nameIn(request)
  try {
    await underNewest(actor, context, (caller) => checkUsable(collection, caller, context))
    const { file, filename: fileName, mimetype: mediaType } = await formFile(request)
    const upload = { collection, content: readPart(file), fileName, mediaType, origin: originOf(request, context) }
    await importFile({ ...upload, isDryRun: announced(request, reply) }, actor, context.engine, context.imports)
  } catch (error) {
    leave(request.raw, context.imports.size)
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

/** Whether the request is a dry run; also adds the response header. */
function announced(request: FastifyRequest, reply: FastifyReply): boolean {
  const isDryRun = wantsDryRun(request)
  if (isDryRun) void reply.header('preference-applied', 'tx=rollback')
  return isDryRun
}

function checkUsable(name: string, actor: Actor, { engine }: HttpContext): void {
  const schema = engine.schema()
  const found = findCollection(schema, name)
  if (found === undefined || !actor.mayUse(found))
    throw noCollection(name, 'root', collectionNames(schema, actor.mayUse))
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

import { invalidPayload, routes } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject } from '../engine/items/payload.ts'
import type { DirectUploads } from '../files/uploads/direct.ts'
import { actorOf, originOf, type HttpContext } from './context.ts'
import { sendData } from './reply.ts'
import { at } from './route-at.ts'
import { sendReply } from './writes.ts'

const idIn = ({ params }: FastifyRequest) => (params as { id: string }).id

/** Uploads past the service: an address to put the content at, and the file that it becomes. */
export function directUploadRoutes(app: FastifyInstance, context: HttpContext, uploads: DirectUploads): void {
  app.route({ ...at(routes.presignFile), handler: (request, reply) => presign(request, reply, context, uploads) })
  app.route({ ...at(routes.completeFile), handler: (request, reply) => complete(request, reply, context, uploads) })
  void app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    const config = { isSlow: true, isWaiting: true }
    scope.route({ ...at(routes.putFile), config, handler: (request, reply) => put(request, reply, uploads) })
    done()
  })
}

async function presign(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
  uploads: DirectUploads,
): Promise<FastifyReply> {
  const actor = await actorOf(request, context)
  const { body } = request
  if (!isObject(body)) throw invalidPayload('The body has to be an object')
  const base = context.browser.publicUrl ?? `${request.protocol}://${request.host}`
  const address = (id: string, secret: string) =>
    `${base}${routes.putFile.path.replace(':id', id)}?${new URLSearchParams({ signature: secret })}`
  const { id, url, headers, expires } = await uploads.presign(actor, body, originOf(request, context), address)
  void reply.header('cache-control', 'no-store')
  sendData(reply, {
    id,
    method: 'PUT',
    url,
    headers,
    expires_on: expires.toISOString(),
    complete: routes.completeFile.path.replace(':id', id),
  })
  return reply
}

/** Whoever knows the address may put the content: it opens nothing else, and for a while only. */
async function put(request: FastifyRequest, reply: FastifyReply, uploads: DirectUploads): Promise<FastifyReply> {
  const { raw, headers } = request
  const { searchParams } = new URL(raw.url ?? '', 'http://service')
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  const content = raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  const [id, signature] = [idIn(request), searchParams.get('signature') ?? '']
  try {
    await uploads.put(id, signature, content, length, headers['content-type'] ?? '')
    return reply.code(200).send()
  } catch (error) {
    // The next request on the connection comes after the rest.
    raw.resume()
    throw error
  }
}

async function complete(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
  uploads: DirectUploads,
): Promise<FastifyReply> {
  const actor = await actorOf(request, context)
  const { query, queryKey, values } = context.queryOf(request)
  const writer = {
    actor,
    origin: originOf(request, context),
    read: { query, queryKey, values },
    isDryRun: false,
  }
  return sendReply(reply, 'one', await uploads.complete(writer, idIn(request)))
}

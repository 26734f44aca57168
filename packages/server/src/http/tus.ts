import { invalidPayload, routes, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Piece } from '../files/uploads/receive-piece.ts'
import { refused } from '../files/uploads/refusals.ts'
import {
  checksumAlgorithms,
  parseChecksum,
  parseCount,
  parseMetadata,
  wishIn,
} from '../files/uploads/upload-metadata.ts'
import type { Upload, Uploads } from '../files/uploads/uploads.ts'
import { actorOf, originOf, type HttpContext } from './context.ts'

const VERSION = '1.0.0'
const EXTENSIONS = 'creation,creation-with-upload,expiration,termination,checksum'
const PIECE = 'application/offset+octet-stream'
const PATH = routes.resumableUploads.path
const ONE = routes.resumableUpload.path

/** Only waiting for the client; the bytes are processed as they arrive. */
const slow = { config: { isSlow: true, isWaiting: true } }

const headerOf = ({ headers }: FastifyRequest, name: string): string | undefined => headers[name]?.toString()
const idIn = ({ params }: FastifyRequest) => (params as { upload: string }).upload

/** Resumable uploads: the protocol tus, version 1.0.0. */
export function tusRoutes(app: FastifyInstance, context: HttpContext, uploads: Uploads): void {
  const { largest } = uploads
  void app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    scope.addHook('onRequest', (request, reply, next) => {
      void reply.header('tus-resumable', VERSION)
      if (request.method === 'OPTIONS' || headerOf(request, 'tus-resumable') === VERSION) return next()
      void reply.header('tus-version', VERSION)
      next(refused('version'))
    })
    scope.options(PATH, (_request, reply) => {
      void reply.header('tus-version', VERSION).header('tus-extension', EXTENSIONS)
      void reply.header('tus-checksum-algorithm', checksumAlgorithms.join(','))
      if (largest !== null) void reply.header('tus-max-size', String(largest))
      return reply.code(204).send()
    })
    scope.post(PATH, slow, (request, reply) => create(request, reply, context, uploads))
    scope.head(ONE, (request, reply) => tell(request, reply, context, uploads))
    scope.patch(ONE, slow, (request, reply) => receive(request, reply, context, uploads))
    scope.delete(ONE, (request, reply) => giveUp(request, reply, context, uploads))
    // Some clients and proxies know GET and POST only.
    scope.post(ONE, slow, (request, reply) => {
      const method = headerOf(request, 'x-http-method-override')
      if (method === 'PATCH') return receive(request, reply, context, uploads)
      if (method === 'DELETE') return giveUp(request, reply, context, uploads)
      throw invalidPayload('The header X-HTTP-Method-Override has to be PATCH or DELETE')
    })
    done()
  })
}

/** The body as a piece; null: there is none. */
function pieceOf(request: FastifyRequest): Piece | null {
  const { raw } = request
  const given = headerOf(request, 'content-length')
  const length = given === undefined ? null : Number(given)
  const isEmpty = length === 0 || (length === null && headerOf(request, 'transfer-encoding') === undefined)
  const type = headerOf(request, 'content-type')
  if (type !== PIECE && (!isEmpty || type !== undefined))
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `A piece is sent with Content-Type ${PIECE}.`, {
      mediaType: type ?? '',
      where: 'upload',
    })
  if (isEmpty && type === undefined) return null
  // Without this option, a refusal would close the connection before it is sent.
  const content = raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  return { content, length: isEmpty ? 0 : length, checksum: parseChecksum(headerOf(request, 'upload-checksum')) }
}

function tellProgress(reply: FastifyReply, { offset, file, expires }: Upload): FastifyReply {
  void reply.header('upload-offset', String(offset)).header('upload-expires', expires.toUTCString())
  return file === null ? reply : reply.header('file-id', file)
}

async function create(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
  uploads: Uploads,
): Promise<FastifyReply> {
  const actor = await actorOf(request, context)
  const origin = originOf(request, context)
  const size = parseCount('Upload-Length', headerOf(request, 'upload-length'))
  const wish = wishIn(parseMetadata(headerOf(request, 'upload-metadata') ?? ''))
  const piece = pieceOf(request)
  const created = await uploads.create(actor, size, wish, origin)
  const hasMore = piece !== null && created.file === null
  const upload = hasMore ? await uploads.receive(actor, created.id, 0, piece, origin) : created
  void reply.header('location', `${context.browser.publicUrl ?? ''}${PATH}/${upload.id}`)
  return tellProgress(reply, upload).code(201).send()
}

async function tell(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
  uploads: Uploads,
): Promise<FastifyReply> {
  const upload = await uploads.find(await actorOf(request, context), idIn(request), originOf(request, context))
  void reply.header('upload-length', String(upload.size)).header('cache-control', 'no-store')
  return tellProgress(reply, upload).code(200).send()
}

async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
  uploads: Uploads,
): Promise<FastifyReply> {
  const actor = await actorOf(request, context)
  const offset = parseCount('Upload-Offset', headerOf(request, 'upload-offset'))
  const piece = pieceOf(request)
  if (piece === null) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `A piece is sent with Content-Type ${PIECE}.`)
  try {
    const upload = await uploads.receive(actor, idIn(request), offset, piece, originOf(request, context))
    return tellProgress(reply, upload).code(204).send()
  } catch (error) {
    // The next request on the connection comes after the rest.
    request.raw.resume()
    throw error
  }
}

async function giveUp(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
  uploads: Uploads,
): Promise<FastifyReply> {
  await uploads.remove(await actorOf(request, context), idIn(request))
  return reply.code(204).send()
}

import { forbidden, invalidPayload, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { utf8Text } from '../lib/utf8.ts'
import { formats, readText, type Format } from '../system/snapshot/text.ts'
import { actorOf, type HttpContext } from './context.ts'
import { arrivingIn, boundaryIn, formFile, receiveForms, type SentFile } from './form-file.ts'

/** Lets the routes of a scope receive documents from administrators: JSON, YAML, or a form with such a file. */
export async function receiveDocuments(scope: FastifyInstance, context: HttpContext): Promise<void> {
  receiveForms(scope)
  scope.addContentTypeParser(/^(application|text)\/(x-)?yaml\b/u, { parseAs: 'buffer' }, (_, body, done) => {
    try {
      done(null, readText(textOf(body as Buffer), 'yaml'))
    } catch (error) {
      done(error as Error, undefined)
    }
  })
  // Runs before the body is read, so that other callers cannot make the service read large bodies.
  scope.addHook('onRequest', async (request) => {
    const { isAdmin } = await context.engine.renew(await actorOf(request, context))
    if (!isAdmin) throw forbidden()
  })
}

/** The body itself, or the file of a form. */
export async function documentIn(request: FastifyRequest, { imports }: HttpContext): Promise<unknown> {
  if (boundaryIn(request) === null) return request.body
  const arriving = arrivingIn(request)
  try {
    return await documentOf(await formFile(request, arriving), imports.size)
  } catch (error) {
    await arriving.leave(imports.size)
    throw error
  }
}

async function documentOf({ filename, type, content }: SentFile, most: number): Promise<unknown> {
  const mediaType = type ?? 'application/octet-stream'
  const format = formatOf(mediaType)
  const isOther = format === null && mediaType !== 'application/octet-stream' && mediaType !== 'text/plain'
  if (isOther || (format === null && !/\.(json|ya?ml)$/iu.test(filename))) {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'A snapshot is a file of JSON or YAML.', {
      mediaType,
      where: 'schema',
    })
  }
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (size > most) throw new ServiceError('CONTENT_TOO_LARGE')
    pieces.push(piece)
  }
  return readText(textOf(Buffer.concat(pieces)), format)
}

const formatOf = (mediaType: string): Format | null =>
  formats.find((format) => mediaType === `application/${format}`) ?? (/ya?ml/u.test(mediaType) ? 'yaml' : null)

function textOf(bytes: Buffer): string {
  const text = utf8Text(bytes)
  if (text === null) throw invalidPayload('The file has to be text in UTF-8')
  return text
}

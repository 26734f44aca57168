import multipart from '@fastify/multipart'
import { forbidden, invalidPayload, invalidQuery, ServiceError, type SnapshotScope } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nearest } from '../lib/nearest.ts'
import { utf8Text } from '../lib/utf8.ts'
import { checkMayChange } from '../system/metadata.ts'
import { includedSections } from '../system/snapshot/snapshots.ts'
import { formats, readText, writeText, type Format } from '../system/snapshot/text.ts'
import { rawQuery } from './token-sources.ts'
import { actorOf, wantsDryRun, type HttpContext } from './context.ts'
import { formFile, refuseForm } from './form-file.ts'
import { sendData } from './reply.ts'

const parameters = {
  snapshot: ['include', 'includeCollections', 'excludeCollections', 'export'],
  diff: ['mode', 'force', 'includeCollections', 'excludeCollections'],
  apply: ['force', 'allow_data_loss'],
} as const

/** Rejects unknown parameters: a typo could drop more than intended. */
function queryOf(request: FastifyRequest, known: readonly string[]): URLSearchParams {
  const query = new URLSearchParams(rawQuery(request))
  for (const name of query.keys()) {
    if (known.includes(name) || name === 'access_token' || name.startsWith('_')) continue
    const hint = nearest(name, known)
    throw invalidQuery(`There is no parameter "${name}" here${hint === undefined ? '' : `; did you mean "${hint}"?`}`)
  }
  return query
}

const listIn = (query: URLSearchParams, name: string): readonly string[] =>
  query.getAll(name).flatMap((value) => value.split(',').filter((part) => part !== ''))

function flagIn(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  if (value === null || value === 'false') return false
  if (value !== 'true' && value !== '') throw invalidQuery(`"${name}" has to be true or false`)
  return true
}

function oneOf<T extends string>(query: URLSearchParams, name: string, values: readonly T[]): T | null {
  const given = query.get(name)
  const found = values.find((value) => value === given)
  if (given !== null && found === undefined) throw invalidQuery(`"${name}" has to be one of ${values.join(', ')}`)
  return found ?? null
}

function scopeIn(query: URLSearchParams): SnapshotScope | null {
  const [include, exclude] = [listIn(query, 'includeCollections'), listIn(query, 'excludeCollections')]
  if (include.length > 0 && exclude.length > 0)
    throw invalidQuery('"includeCollections" and "excludeCollections" cannot be used together')
  if (include.length > 0) return { include }
  return exclude.length > 0 ? { exclude } : null
}

const mediaTypes: Readonly<Record<Format, string>> = { json: 'application/json', yaml: 'application/yaml' }

/** Routes for schema snapshots. Administrators only: a snapshot reveals everything. */
export function snapshotRoutes(app: FastifyInstance, context: HttpContext): void {
  const { snapshots, metadata, engine, imports } = context

  const administratorOf = async (request: FastifyRequest) => {
    const actor = await engine.renew(await actorOf(request, context))
    if (!actor.isAdmin) throw forbidden()
    return actor
  }

  app.get('/schema/snapshot', async (request, reply) => {
    await administratorOf(request)
    const query = queryOf(request, parameters.snapshot)
    const format = oneOf(query, 'export', formats)
    const include = includedSections(listIn(query, 'include'))
    const snapshot = await snapshots.snapshot({ include, scope: scopeIn(query) })
    if (format === null) sendData(reply, snapshot)
    else sendFile(reply, writeText(snapshot, format), format)
    return reply
  })

  void app.register(async (scope) => {
    await scope.register(multipart, { limits: { fileSize: imports.size, files: 1, fields: 20 } })
    scope.addContentTypeParser(/^(application|text)\/(x-)?yaml\b/u, { parseAs: 'buffer' }, (_, body, done) => {
      try {
        done(null, readText(textOf(body as Buffer), 'yaml'))
      } catch (error) {
        done(error as Error, undefined)
      }
    })
    // Snapshots are larger than items.
    const route = { bodyLimit: imports.size, config: { isSlow: true } }
    // Runs before the body is read, so that other callers cannot make the service read large bodies.
    scope.addHook('onRequest', async (request) => {
      await administratorOf(request)
    })

    scope.post(
      '/schema/diff',
      { ...route, config: { ...route.config, dryRun: 'harmless' } },
      async (request, reply) => {
        const query = queryOf(request, parameters.diff)
        const mode = oneOf(query, 'mode', ['merge', 'mirror']) ?? 'merge'
        const asked = { mode, force: flagIn(query, 'force'), scope: scopeIn(query) } as const
        const diff = await snapshots.diff(await fileIn(request), asked)
        if (diff === null) return reply.code(204).send()
        sendData(reply, diff)
        return reply
      },
    )

    scope.post(
      '/schema/apply',
      { ...route, config: { ...route.config, dryRun: 'honoured' } },
      async (request, reply) => {
        checkMayChange(await administratorOf(request), metadata)
        const query = queryOf(request, parameters.apply)
        flagIn(query, 'force')
        const asked = { mayLose: flagIn(query, 'allow_data_loss') }
        const body = await fileIn(request)
        if (!wantsDryRun(request)) {
          await snapshots.apply(body, asked)
          return reply.code(204).send()
        }
        const plan = await snapshots.preview(body, asked)
        sendData(reply.header('preference-applied', 'tx=rollback'), plan)
        return reply
      },
    )
  })
}

function sendFile(reply: FastifyReply, text: string, format: Format): void {
  void reply
    .header('content-type', `${mediaTypes[format]}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="snapshot.${format}"`)
    .send(text)
}

/** The body itself, or the file of a form. */
async function fileIn(request: FastifyRequest): Promise<unknown> {
  if (!request.isMultipart()) return request.body
  const part = await formFile(request)
  const { mimetype: mediaType, filename } = part
  const format = formats.find((each) => mediaType === mediaTypes[each]) ?? (/ya?ml/u.test(mediaType) ? 'yaml' : null)
  const isOther = format === null && mediaType !== 'application/octet-stream' && mediaType !== 'text/plain'
  if (isOther || (format === null && !/\.(json|ya?ml)$/iu.test(filename))) {
    part.file.resume()
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'A snapshot is a file of JSON or YAML.', {
      mediaType,
      where: 'schema',
    })
  }
  return readText(textOf(await part.toBuffer().catch(refuseForm)), format)
}

function textOf(bytes: Buffer): string {
  const text = utf8Text(bytes)
  if (text === null) throw invalidPayload('The file has to be text in UTF-8')
  return text
}

import { Readable } from 'node:stream'
import { forbidden, routes, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { decide } from '../files/asset-conditions.ts'
import type { ReadableFile } from '../files/file-rows.ts'
import type { Files } from '../files/files.ts'
import { describeAsset, undescribe, type AssetHeaders } from './asset-headers.ts'
import { assetCaller, isLinkParameter, maxAgeOf, type AssetCaller } from './asset-caller.ts'
import type { HttpContext } from './context.ts'
import { hasCredentials } from './public-cache.ts'
import { lostObject, readFrom } from './stored-content.ts'
import { rawQuery } from './token-sources.ts'
import { readyVariant } from './variant-asset.ts'

/** Sends the content of files. */
export function assetRoutes(app: FastifyInstance, context: HttpContext, files: Files): void {
  const handler = (request: FastifyRequest, reply: FastifyReply) => sendAsset(request, reply, context, files)
  for (const { path, methods } of [routes.asset, routes.namedAsset])
    app.route({ method: [...methods], url: path, handler })
}

/** The parameters of the address, without tokens and cache busters. */
function parametersOf(request: FastifyRequest, isLinked: boolean): URLSearchParams {
  const parameters = new URLSearchParams(rawQuery(request))
  for (const name of new Set(parameters.keys()))
    if (name === 'access_token' || name.startsWith('_') || (isLinked && isLinkParameter(name))) parameters.delete(name)
  return parameters
}

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
  files: Files,
): Promise<FastifyReply> {
  const { id, name: wanted } = request.params as { id: string; name?: string }
  const { actor, secondsLeft } = await assetCaller(request, id, context)
  const file = await files.rows.readable(actor, id)
  const parameters = parametersOf(request, secondsLeft !== null)
  const { row } = file
  const { key } = row
  if (key === null) throw forbidden()
  const variant = await readyVariant(
    request,
    { query: parameters, hasCredentials: !isAnonymous(actor) },
    { ...row, key },
    files,
  )
  const name = wanted === undefined || wanted === '' ? file.name : wanted
  describeAsset(reply, {
    type: variant?.type ?? row.type ?? 'application/octet-stream',
    isDownload: parameters.has('download'),
    name: variant === null || name === wanted ? name : variant.nameOf(name),
    tag: variant?.tag ?? tagOf(row),
    modified: row.modified,
    ...(await cachingOf(request, { file, actor, secondsLeft }, context, files)),
  })
  try {
    return await (variant === null ? sendOriginal(request, reply, row, files) : variant.send(reply))
  } catch (error) {
    // What was said of the content, such as how long it may be kept, does not hold for an error.
    undescribe(reply)
    throw error
  }
}

const tagOf = ({ id, checksum, modified, size }: ReadableFile['row']): string =>
  `"${checksum ?? `${id}-${modified.getTime()}-${size ?? ''}`}"`

interface Shown extends AssetCaller {
  readonly file: ReadableFile
}

/** Who may keep the response, and for how long. */
async function cachingOf(
  request: FastifyRequest,
  shown: Shown,
  context: HttpContext,
  files: Files,
): Promise<Pick<AssetHeaders, 'isPublic' | 'maxAge'>> {
  const { maxAge, publicMaxAge } = context.assets
  const isPublic = publicMaxAge > 0 && !hasCredentials(request) && (await isForAll(shown, context, files))
  const most = isPublic && maxAge !== null ? Math.min(maxAge, publicMaxAge) : maxAge
  return { isPublic, maxAge: maxAgeOf(most, shown.secondsLeft) }
}

/** Whether everybody may read the file, from everywhere and at any time. */
async function isForAll({ file, actor }: Shown, context: HttpContext, { rows }: Files): Promise<boolean> {
  if (file.isOfProject) return true
  if (isAnonymous(actor) && !actor.dependsOnAddress) return !file.isOfNow
  const opened = await rows.opened(await context.authenticate({ token: null, address: null }), file.row.id)
  return opened !== null && !opened.isOfNow
}

const isAnonymous = ({ user, isAdmin }: Actor): boolean => user === null && !isAdmin

async function sendOriginal(
  request: FastifyRequest,
  reply: FastifyReply,
  row: ReadableFile['row'],
  { storages }: Files,
): Promise<FastifyReply> {
  const storage = storages.at(row.storage)
  const key = row.key ?? ''
  const size = row.size ?? (await storage?.size(key)) ?? null
  if (storage === undefined || size === null) throw lostObject()
  const content = { tag: tagOf(row), modified: row.modified, size, hasRanges: true }
  const decision = decide(request.headers, content)
  void reply.header('accept-ranges', 'bytes')
  if (row.checksum !== null)
    void reply.header('repr-digest', `sha-256=:${Buffer.from(row.checksum, 'hex').toString('base64')}:`)
  if (decision.status === 304) return reply.code(304).send()
  if (decision.status === 416) throw outOfRange(reply, size)
  const range = decision.status === 206 ? decision.range : undefined
  const length = range === undefined ? size : range.last - range.first + 1
  if (request.method === 'HEAD' && (await storage.size(key)) === null) throw lostObject()
  request.leaveFlight()
  const stream = request.method === 'HEAD' ? null : await readFrom(() => storage.read(key, range))
  if (range !== undefined) void reply.header('content-range', `bytes ${range.first}-${range.last}/${size}`)
  void reply.code(decision.status).header('content-length', length)
  // An empty stream leaves the length that was set.
  return reply.send(stream ?? Readable.from([]))
}

function outOfRange(reply: FastifyReply, size: number): ServiceError {
  void reply.header('content-range', `bytes */${size}`)
  return new ServiceError('RANGE_NOT_SATISFIABLE', 'The file does not have this range.', { size })
}

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { decide } from '../files/asset-conditions.ts'
import type { FileRow } from '../files/file-rows.ts'
import type { Files } from '../files/files.ts'
import type { VariantRequest, WantedVariant } from '../files/pictures/variants.ts'
import type { Storage } from '../files/storage/storage.ts'
import { lostObject, readFrom } from './stored-content.ts'

/** A variant of a picture that can be sent. */
export interface ReadyVariant {
  readonly type: string
  readonly tag: string
  /** The name of the original, with the extension of the variant. */
  readonly nameOf: (name: string | null) => string | null
  readonly send: (reply: FastifyReply) => Promise<FastifyReply>
}

/** Has a variant made, unless the client has it already. null: the request is for the original. */
export async function readyVariant(
  request: FastifyRequest,
  { query, hasCredentials }: Pick<VariantRequest, 'query' | 'hasCredentials'>,
  row: FileRow & { readonly key: string },
  { variants, storages }: Files,
): Promise<ReadyVariant | null> {
  const storage = storages.at(row.storage)
  const original = { ...row, size: row.size ?? (await storage?.size(row.key)) ?? 0 }
  const accept = request.headers.accept ?? ''
  const wanted = await variants.find({ query, accept, hasCredentials }, original)
  if (wanted === null) return null
  if (storage === undefined) throw lostObject()
  const tag = `"${wanted.hash}"`
  const content = { tag, modified: row.modified, size: 0, hasRanges: false }
  const isKnown = decide(request.headers, content).status === 304
  // Pictures have a queue of their own.
  request.leaveFlight()
  const size = isKnown ? null : await variants.ensure(wanted, original, storage)
  return {
    type: wanted.type,
    tag,
    nameOf: (name) => (wanted.type === row.type || name === null ? name : renamed(name, wanted.variant.format)),
    send: (reply) => sendVariant(request, reply, wanted, size, storage),
  }
}

const renamed = (name: string, extension: string): string => `${name.replace(/(?<=.)\.[^.]*$/u, '')}.${extension}`

async function sendVariant(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, isNegotiated }: WantedVariant,
  size: number | null,
  storage: Storage,
): Promise<FastifyReply> {
  if (isNegotiated) {
    const vary = reply.getHeader('vary')
    void reply.header('vary', typeof vary === 'string' ? `${vary}, Accept` : 'Accept')
  }
  if (size === null) return reply.code(304).send()
  const stream = request.method === 'HEAD' ? Readable.from([]) : await readFrom(() => storage.read(key))
  return reply.header('content-length', size).send(stream)
}

import type { FastifyReply } from 'fastify'
import { dispositionOf, isShown } from '../files/disposition.ts'

export interface AssetHeaders {
  readonly type: string
  readonly isDownload: boolean
  /** null: the caller may not know the name. */
  readonly name: string | null
  readonly tag: string
  readonly modified: Date
  readonly isPublic: boolean
  /** Seconds; null: caches have to ask each time. */
  readonly maxAge: number | null
}

/** What browsers are told of content that somebody else has brought: its type, and that it may do nothing. */
export function describeAsset(reply: FastifyReply, asset: AssetHeaders): void {
  const { type, isDownload, name, tag, modified, isPublic, maxAge } = asset
  const kind = isDownload || !isShown(type) ? 'attachment' : 'inline'
  const age = maxAge === null ? 'max-age=0, must-revalidate' : `max-age=${maxAge}`
  void reply
    .header('content-type', type)
    .header('content-disposition', dispositionOf(kind, name))
    .header('etag', tag)
    .header('last-modified', modified.toUTCString())
    .header('cache-control', `${isPublic ? 'public' : 'private'}, ${age}`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'cross-origin')
}

/** Takes back what was said of content that cannot be sent. */
export function undescribe(reply: FastifyReply): void {
  for (const name of ['content-disposition', 'etag', 'last-modified', 'cache-control', 'repr-digest'])
    void reply.removeHeader(name)
}

import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasTag } from '../lib/entity-tags.ts'

/** A tag that is equal for equal contents. */
export const hashTag = (content: string | Buffer): string =>
  `"${createHash('sha1').update(content).digest('base64url')}"`

/** Sends the tag, and tells whether the client already has what it stands for: then the response is 304. */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  void reply.header('etag', tag)
  const known = request.headers['if-none-match']
  return known !== undefined && hasTag(known, tag)
}

/**
 * The same for the tag of a row. It says nothing about other rows that the response shows, so a browser must not keep
 * such a response: asking whether it is still valid would bring old rows back.
 */
export function isUnchangedRow(
  request: FastifyRequest,
  reply: FastifyReply,
  { rowVersion, isOfRowAlone }: { readonly rowVersion: string; readonly isOfRowAlone: boolean },
): boolean {
  if (!isOfRowAlone) void reply.header('cache-control', 'private, no-store')
  return isUnchanged(request, reply, `"${rowVersion}"`)
}

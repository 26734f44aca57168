import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged } from './entity-tag.ts'

/** An HTML page with its security headers. */
export interface Page {
  readonly html: string
  readonly etag: string
  readonly policy: string
}

/** Browsers name HTML first; programs accept anything, or name JSON. */
export const wantsPage = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.split(',', 1)[0]?.trim() === 'text/html'

export function sendPage(request: FastifyRequest, reply: FastifyReply, { html, etag, policy }: Page): FastifyReply {
  void reply.headers({
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  })
  if (isUnchanged(request, reply, etag)) return reply.code(304).send()
  return reply.header('content-type', 'text/html; charset=utf-8').send(html)
}

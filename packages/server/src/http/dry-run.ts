import { ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wantsDryRun } from './context.ts'
import { isReadMethod } from './reading.ts'

/**
 * How a route handles `Prefer: tx=rollback`. By default, read methods are harmless and all others refuse a dry run:
 * ignoring the header would commit the change.
 */
export type DryRun = 'honoured' | 'harmless' | 'refused'

declare module 'fastify' {
  interface FastifyContextConfig {
    dryRun?: DryRun
  }
}

export const dryRunOf = (method: string, declared: DryRun | undefined): DryRun =>
  declared ?? (isReadMethod(method) ? 'harmless' : 'refused')

/** For routes that honour dry runs. */
export const honoured = { config: { dryRun: 'honoured' } } as const

export function refuseDryRuns(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    if (!wantsDryRun(request) || request.is404) return done()
    if (dryRunOf(request.method, request.routeOptions.config.dryRun) !== 'refused') return done()
    done(new ServiceError('UNPROCESSABLE_CONTENT', 'This request cannot be tried without being kept (tx=rollback).'))
  })
}

/** Whether the request is a dry run; also adds the response header. */
export function announced(request: FastifyRequest, reply: FastifyReply): boolean {
  const isDryRun = wantsDryRun(request)
  if (isDryRun) void reply.header('preference-applied', 'tx=rollback')
  return isDryRun
}

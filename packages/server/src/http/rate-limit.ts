import type { FastifyInstance } from 'fastify'
import type { Limits } from '../auth/limits.ts'
import type { Browser } from './browser.ts'

/** Rejects requests above the rate limit; all other responses carry the rate limit headers. */
export function limitRequests(
  app: FastifyInstance,
  { request: allow }: Pick<Limits, 'request'>,
  browser: Browser,
): void {
  if (allow === null) return
  app.addHook('onRequest', async (request, reply) => {
    const { limit, remaining, wait } = await allow(browser.addressOf(request))
    void reply.headers({
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(Math.ceil(wait / 1000)),
    })
  })
}

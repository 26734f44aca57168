import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify'

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void

/**
 * Adds a hook to some routes. A hook of all routes would have to ask for the options of its route, which Fastify puts
 * together anew each time.
 */
export function hookRoutes(
  app: FastifyInstance,
  name: 'onRequest' | 'preValidation' | 'preHandler',
  isFor: (route: RouteOptions) => boolean,
  hook: Hook,
): void {
  app.addHook('onRoute', (route) => {
    const hooks = [route[name] ?? []].flat() as Hook[]
    // The HEAD route of a GET route is made from its options.
    if (isFor(route) && !hooks.includes(hook)) route[name] = [...hooks, hook]
  })
}

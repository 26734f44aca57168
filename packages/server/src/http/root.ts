import { procedures, routes } from '@tain/contract'
import type { FastifyInstance } from 'fastify'
import type { HttpContext } from './context.ts'
import { sendPage, wantsPage } from './page.ts'
import { sendData } from './reply.ts'
import { rootPage } from './root-page.ts'

/** Where a program finds what; a stranger learns nothing else about the service. */
const addresses = {
  name: 'tain',
  rest: '/items',
  graphql: routes.graphql.path,
  health: procedures.serverHealth.rest[0][1],
  ping: procedures.serverPing.rest[0][1],
  info: procedures.serverInfo.rest[0][1],
} as const

/** Answers at `/` without reading a token or the database. */
export function rootRoute(app: FastifyInstance, { graphql, admin, procedures: served }: HttpContext): void {
  const page = rootPage({
    ...addresses,
    login: served.login === undefined ? null : procedures.login.rest[0][1],
    hasGraphiql: graphql.page !== null,
    reference: served.readOpenApi === undefined ? null : routes.apiReference.path,
  })
  app.get(routes.root.path, async (request, reply) => {
    const vary = reply.getHeader('vary')
    void reply.header('vary', typeof vary === 'string' ? `${vary}, Accept` : 'Accept')
    if (wantsPage(request)) return admin === null ? sendPage(request, reply, page) : reply.redirect(admin.home)
    sendData(reply, addresses)
    return reply
  })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { users } from '../system/collections/users.ts'
import { systemProcedures as procedures } from '../system/procedures/index.ts'
import type { Procedure } from '../system/procedures/system-procedure.ts'
import { userOf } from '../system/procedures/self.ts'
import { rawQuery } from './token-sources.ts'
import { actorOf, type HttpContext } from './context.ts'
import { matches } from './items.ts'
import { honoured, type DryRun } from './dry-run.ts'
import { keyFromUrl } from './key.ts'
import { sendData, sendJson } from './reply.ts'
import { writeHandler } from './writes.ts'

const nothing = () => null
const bodyOf = ({ body }: FastifyRequest): unknown => body

/** Maps system procedures to routes. It decides nothing: payloads go in, results become responses. */
export function procedureRoutes(app: FastifyInstance, context: HttpContext): void {
  const call = async <I, O>(procedure: Procedure<I, O>, request: FastifyRequest, input: I): Promise<O> =>
    procedure({ actor: await actorOf(request, context), input, services: context.services })

  /** A result of undefined becomes 204. */
  const serve = <I, O>(
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    procedure: Procedure<I, O>,
    inputOf: (request: FastifyRequest) => I,
    dryRun?: DryRun,
  ) =>
    app.route({
      method,
      url,
      ...(dryRun === undefined ? {} : { config: { dryRun } }),
      handler: async (request, reply) => {
        const data = await call(procedure, request, inputOf(request))
        if (data === undefined) return reply.code(204).send()
        sendData(reply, data)
        return reply
      },
    })

  app.get('/users/me', async (request, reply) => {
    const { data, rowVersion } = await call(procedures.readMe, request, context.queryOf(request))
    const tag = `"${rowVersion ?? ''}"`
    if (rowVersion !== null) void reply.header('etag', tag)
    if (rowVersion !== null && matches(request.headers['if-none-match'], tag)) return reply.code(304).send()
    sendJson(reply, `{"data":${data}}`)
    return reply
  })
  app.patch(
    '/users/me',
    honoured,
    writeHandler(
      context,
      () => ({ name: users.name, isSystem: true }),
      (_, actor) => [userOf(actor)],
    ),
  )
  serve('PATCH', '/users/me/track/page', procedures.trackPage, bodyOf)
  app.get('/roles/me', async (request, reply) => {
    const rows = await call(procedures.myRoles, request, context.queryOf(request))
    sendJson(reply, `{"data":[${rows.join(',')}]}`)
    return reply
  })
  serve('GET', '/policies/me/globals', procedures.myGlobals, nothing)
  serve('GET', '/permissions/me', procedures.myPermissions, nothing)
  serve('GET', '/permissions/me/:collection', procedures.myItemPermissions, (request) => itemOf(request, false))
  serve('GET', '/permissions/me/:collection/:key', procedures.myItemPermissions, (request) => itemOf(request, true))
  serve('POST', '/permissions/explain', procedures.explain, bodyOf, 'harmless')

  serve('GET', '/server/info', procedures.serverInfo, nothing)
  app.get('/server/health', async (request, reply) =>
    sendHealth(reply, await call(procedures.serverHealth, request, null)),
  )
  serve('GET', '/utils/random/string', procedures.randomText, (request) => ({
    length: new URLSearchParams(rawQuery(request)).get('length'),
  }))
  serve('POST', '/utils/cache/clear', procedures.clearCache, nothing)
}

const itemOf = ({ params, raw }: FastifyRequest, hasKey: boolean) => ({
  collection: (params as { collection: string }).collection,
  key: hasKey ? keyFromUrl(raw.url ?? '') : null,
})

/** Without the envelope, as in the IETF draft for health checks. */
const sendHealth = (reply: FastifyReply, health: { readonly status: 'ok' | 'error' }): FastifyReply =>
  reply
    .code(health.status === 'ok' ? 200 : 503)
    .header('content-type', 'application/health+json; charset=utf-8')
    .send(JSON.stringify(health))

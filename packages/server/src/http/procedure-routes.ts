import { Readable } from 'node:stream'
import { procedures, type ProcedureName, type ProcedureRow, type ResponseKind } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inputOf } from '../lib/read-input.ts'
import type { AnyProcedure, Result, SignedIn } from '../procedure.ts'
import { callContextOf, clearCookies, setCookies, uncached, usesCookies } from './client.ts'
import { actorOf, originOf, wantsDryRun, type HttpContext } from './context.ts'
import { documentIn, receiveDocuments } from './document.ts'
import { announced, type DryRun } from './dry-run.ts'
import { hashTag, isUnchanged, isUnchangedRow } from './entity-tag.ts'
import { payloadOf } from './procedure-payload.ts'
import { sendData, sendFile, sendJson } from './reply.ts'

const nobody = { token: null, address: null }

const callers = {
  checked: actorOf,
  ignored: async (_: FastifyRequest, { authenticate }: HttpContext) => authenticate(nobody),
  lenient: async (request: FastifyRequest, context: HttpContext) => {
    try {
      return await actorOf(request, context)
    } catch (error) {
      if (!request.hasLostSession) throw error
      return context.authenticate(nobody)
    }
  },
  unread: async () => null,
} as const

/** Serves every procedure of the table at its addresses. */
export function procedureRoutes(app: FastifyInstance, context: HttpContext): void {
  const rows = Object.entries(procedures) as [ProcedureName, ProcedureRow][]
  const served = rows.flatMap(([name, row]) => {
    const run = context.procedures[name]
    return run === undefined ? [] : [{ name, row, run }]
  })
  for (const each of served) if (each.row.hasDocument !== true) serve(app, context, each)
  void app.register(async (scope) => {
    await receiveDocuments(scope, context)
    for (const each of served) if (each.row.hasDocument === true) serve(scope, context, each)
  })
}

interface ServedProcedure {
  readonly name: ProcedureName
  readonly row: ProcedureRow
  readonly run: AnyProcedure
}

function serve(app: FastifyInstance, context: HttpContext, { name, row, run }: ServedProcedure): void {
  const isLarge = row.hasDocument === true
  for (const [method, url, constants = {}] of row.rest)
    app.route({
      method,
      url,
      ...(isLarge ? { bodyLimit: context.imports.size } : {}),
      config: {
        dryRun: dryRuns[row.dryRun],
        ...(isLarge ? { isSlow: true } : {}),
        ...(row.minimumDuration === undefined ? {} : { isWaiting: true }),
      },
      handler: async (request, reply) => {
        if (row.cookies !== undefined && usesCookies(request, row.cookies)) context.browser.checkOrigin(request)
        const payload = () => payloadOf(row, request, constants)
        const served = { name, row, request, reply, context, payload }
        return senders[row.response]({ ...served, result: async () => resultOf(run, served) })
      },
    })
}

/** A request for a procedure. */
interface Served {
  readonly name: ProcedureName
  readonly row: ProcedureRow
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly context: HttpContext
  /** The input as it was sent. */
  readonly payload: () => unknown
}

async function resultOf(run: AnyProcedure, served: Served): Promise<unknown> {
  const { name, row, request, reply, context, payload } = served
  const selected = row.items === undefined ? null : context.queryOf(request)
  const actor = await callers[row.token ?? 'checked'](request, context)
  if (request.hasLostSession) context.browser.cookies.clear(reply, 'session')
  // A procedure without parameters never reads its input.
  if (row.isStrict === true) payload()
  return run({
    actor: actor as never,
    get input() {
      return inputOf(name, payload()) as never
    },
    get context() {
      return callContextOf(request, context.browser)
    },
    get origin() {
      return originOf(request, context)
    },
    get isDryRun() {
      return row.dryRun === 'rollback' ? announced(request, reply) : isPlanned(row, request)
    },
    selection: () => selected ?? nothingSelected(),
    document: async () => documentIn(request, context),
  })
}

const dryRuns: Readonly<Record<ProcedureRow['dryRun'], DryRun>> = {
  harmless: 'harmless',
  rollback: 'honoured',
  plan: 'honoured',
  refused: 'refused',
}

const isPlanned = ({ dryRun }: ProcedureRow, request: FastifyRequest) => dryRun === 'plan' && wantsDryRun(request)

const nothingSelected = (): never => {
  throw new TypeError('a procedure without items has no selection')
}

interface Answering extends Served {
  /** Runs the procedure. */
  readonly result: () => Promise<unknown>
}

type Sender = (answering: Answering) => Promise<FastifyReply>

/** A result of undefined becomes 204. */
const sendResult: Sender = async ({ row, request, reply, result }) => {
  if (row.isSecret === true) uncached(reply)
  const data = await result()
  if (isPlanned(row, request)) void reply.header('preference-applied', 'tx=rollback')
  if (data === undefined) return reply.code(204).send()
  if (row.isTagged === true) return sendTagged(request, reply, JSON.stringify({ data }))
  sendData(reply, data)
  return reply
}

function sendTagged(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  if (isUnchanged(request, reply, hashTag(body))) return reply.code(304).send()
  sendJson(reply, body)
  return reply
}

const senders: Readonly<Record<ResponseKind, Sender>> = {
  data: sendResult,
  removed: sendResult,
  item: async ({ request, reply, result }) => {
    const { data, rowVersion, isOfRowAlone } = (await result()) as Result<'readMe'>
    if (rowVersion !== null && isUnchangedRow(request, reply, { rowVersion, isOfRowAlone }))
      return reply.code(304).send()
    sendJson(reply, `{"data":${data}}`)
    return reply
  },
  'new item': async ({ reply, result }) => {
    const { data, rowVersion } = (await result()) as Result<'importFile'>
    if (data === null) return reply.code(204).send()
    if (rowVersion !== null) void reply.header('etag', `"${rowVersion}"`)
    sendJson(reply, `{"data":${data}}`)
    return reply
  },
  items: async ({ reply, result }) => {
    const rows = (await result()) as Result<'myRoles'>
    sendJson(reply, `{"data":[${rows.join(',')}]}`)
    return reply
  },
  health: async ({ reply, result }) => {
    const health = (await result()) as Result<'serverHealth'>
    return reply
      .code(health.status === 'error' ? 503 : 200)
      .header('content-type', 'application/health+json; charset=utf-8')
      .send(JSON.stringify(health))
  },
  text: async ({ reply, result }) => {
    const text = (await result()) as string
    return reply.header('content-type', 'text/plain; charset=utf-8').send(text)
  },
  'long text': async ({ reply, result }) => {
    const pieces = (await result()) as Result<'showSdl'>
    return reply.header('content-type', 'text/plain; charset=utf-8').send(Readable.from(pieces, { objectMode: false }))
  },
  'json text': async ({ request, reply, result }) => {
    const { pieces, tag } = (await result()) as Result<'readOpenApi'>
    if (isUnchanged(request, reply, tag)) return reply.code(304).send()
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(Readable.from(pieces, { objectMode: false }))
  },
  'data or file': async ({ reply, result }) => {
    const found = (await result()) as Result<'readSnapshot'>
    if ('file' in found) return sendFile(reply, found.file)
    sendData(reply, found.data)
    return reply
  },
  file: async ({ reply, result }) => sendFile(reply, (await result()) as Result<'readSdl'>),
  body: async ({ reply, result }) => {
    sendJson(reply, JSON.stringify(await result()))
    return reply
  },
  nothing: async ({ row, reply, result }) => {
    await result()
    if (row.isSecret === true) uncached(reply)
    return reply.code(204).send()
  },
  done: async ({ reply, result }) => {
    await result()
    return reply.code(200).send()
  },
  tokens: async ({ reply, context: { browser }, result }) => {
    const tokens = (await result()) as SignedIn
    setCookies(reply, tokens, browser)
    sendData(reply, inBody(tokens))
    return reply
  },
  'signed out': async ({ request, reply, context: { browser }, result }) => {
    await result()
    clearCookies(request, reply, browser)
    return uncached(reply).code(204).send()
  },
  redirect: async ({ payload, reply, context: { browser }, result }) => {
    const isComplete = Object.values(payload() as object).every((value) => (value ?? '') !== '')
    const user = isComplete ? ((await result()) as string | null) : null
    const place = user === null ? '/admin/login' : `/admin/users/${user}`
    return uncached(reply).redirect(`${browser.publicUrl ?? ''}${place}`)
  },
}

/** Tokens that go into cookies are left out of the body. */
function inBody({ mode, accessToken, refreshToken, expires }: SignedIn): object {
  switch (mode) {
    case 'json':
      return { access_token: accessToken, refresh_token: refreshToken, expires }
    case 'cookie':
      return { access_token: accessToken, expires }
    case 'session':
      return { expires }
  }
}

import { randomRequest } from '../model/request.ts'
import { predict, type WriteRequest } from '../model/model.ts'
import { pathOf, readStored, resetRows, withSession, type Session } from '../model/session.ts'
import { LEAST } from '../property/gate.ts'
import { createRng } from '../property/rng.ts'
import { noReply, type Reply } from '../property/server.ts'
import { withoutMadeValues } from './made-values.ts'
import { NoTwin } from './render.ts'
import { renderWrite, type RenderedWrite } from './render-write.ts'

export interface WriteFailure {
  readonly schema: number
  readonly case: number
  readonly reason: string
  readonly request: WriteRequest
  readonly document: RenderedWrite
}

export interface WriteResult {
  readonly writes: number
  readonly refused: number
  /** Rejected in GraphQL by the type check, and in REST by payload validation. */
  readonly untyped: number
  readonly skipped: number
  readonly failures: readonly WriteFailure[]
}

/** One random database; each write runs twice on the same rows, through REST and through GraphQL. */
export function runWrites(
  seed: number,
  schema: number,
  cases: readonly number[],
  isOver: () => boolean,
): Promise<WriteResult> {
  return withSession(seed, schema, async (session) => {
    const counts = { writes: 0, refused: 0, untyped: 0, skipped: 0 }
    const failures: WriteFailure[] = []
    for (const number of cases) {
      // Each write runs twice.
      const isEnough = counts.writes * 2 >= LEAST && isOver()
      if (isEnough || failures.length > 0 || session.server.ended() !== null) break
      let serial = 0
      const request = randomRequest(
        createRng(seed, schema, number, 11),
        session.schema,
        session.start,
        () => (serial += 1),
      )
      const document = twinOf(session, request)
      // An outcome that the contract leaves open may differ between runs.
      if (document === null || predict(session.schema, session.start, request).kind === 'open') {
        counts.skipped += 1
        continue
      }
      const found = await compare(session, request, document)
      counts.writes += 1
      if (found === 'refused' || found === 'untyped') counts[found] += 1
      else if (found !== 'equal') failures.push({ schema, case: number, reason: found, request, document })
    }
    return { ...counts, failures }
  })
}

function twinOf({ schema }: Session, request: WriteRequest): RenderedWrite | null {
  try {
    return renderWrite(schema, request)
  } catch (error) {
    if (error instanceof NoTwin) return null
    throw error
  }
}

async function compare(session: Session, request: WriteRequest, document: RenderedWrite): Promise<string> {
  const { server } = session
  await resetRows(session)
  const { method, body } = request
  const rest = await server
    .send({ method, path: pathOf(request), ...(body === undefined ? {} : { body }) })
    .catch(noReply)
  const rowsNow = async () => withoutMadeValues(session.schema, await readStored(session), session.start, body)
  const afterRest = await rowsNow()
  await resetRows(session)
  const graph = await server.send({ method: 'POST', path: '/graphql', body: document }).catch(noReply)
  const afterGraph = await rowsNow()
  const [a, b] = [codeOf(rest), codeOf(graph)]
  if (afterRest !== afterGraph)
    return `the rows differ: ${firstDifference(afterRest, afterGraph)}; REST said ${a ?? 'done'}, GraphQL ${b ?? 'done'} ${graph.text.slice(0, 300)}`
  if (b === 'GRAPHQL_VALIDATION' && a !== null) return 'untyped'
  if (a !== b)
    return `REST said ${a ?? 'done'}, GraphQL ${b ?? 'done'}: ${rest.text.slice(0, 300)} ${graph.text.slice(0, 400)}`
  return a === null ? 'equal' : 'refused'
}

function firstDifference(a: string, b: string): string {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const from = Math.max(0, at - 80)
  return `…${a.slice(from, at + 80)} | …${b.slice(from, at + 80)}`
}

interface Failed {
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[]
}

/** Returns null if the write succeeded. */
function codeOf({ status, body, text }: Reply): string | null {
  const code = (body as Failed | null | undefined)?.errors?.[0]?.extensions?.code
  if (code !== undefined) return code
  return status >= 200 && status < 300 ? null : `status ${status}: ${text}`
}

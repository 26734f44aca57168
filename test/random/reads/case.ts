import type { GraphNames } from '../graphql-names.ts'
import { difference, isRecord } from './interpret/expected.ts'
import type { Json, Row } from '../database/model.ts'
import type { Rng } from '../rng.ts'
import { noReply, type Reply, type Request } from '../../lib/server.ts'
import { answer, type Outcome, type Read } from '../rights/answer.ts'
import { asGet, type Encoding, listRequest, randomEncoding, requestOf, tokenOf, viewedAs } from './encoding.ts'
import { graphFault, graphRead } from './graphql-read.ts'
import type { Protocol } from '../protocol.ts'
import type { Stage } from '../database/random-model.ts'
import { keyText, randomRead, walkedRead } from './random-read.ts'
import type { Caller } from '../rights/rights.ts'
import type { Theatre } from '../stage.ts'
import type { View } from '../rights/view.ts'
import { walkPages } from './walk.ts'

const ADMINISTRATOR_SHARE = 0.15
const WALK_SHARE = 0.08

export interface ReadTally {
  cases: number
  requests: number
  /** Reads that GraphQL cannot express. */
  skipped: number
  /** Responses by status. */
  readonly statuses: Map<number, number>
  /** Responses with at least one row. */
  filled: number
  /** Lists read page by page. */
  walks: number
  /** Reads repeated with other operands, which must not give another statement. */
  varied: number
  /** Different statements of the service. */
  statements: number
}

export const emptyTally = (): ReadTally => ({
  cases: 0,
  requests: 0,
  skipped: 0,
  statuses: new Map(),
  filled: 0,
  walks: 0,
  varied: 0,
  statements: 0,
})

export interface Scene {
  readonly stage: Stage
  readonly theatre: Theatre
  /** The GraphQL names; null if GraphQL is not used. */
  readonly names: GraphNames | null
  readonly tally: ReadTally
}

/** A read, who sends it and how. */
export interface Case {
  readonly number: number
  readonly caller: Caller
  readonly read: Read
  readonly encoding: Encoding
  /** GraphQL over GET. */
  readonly isAddress: boolean
  /** An administrator sends it in place of the caller. */
  readonly isViewed: boolean
  /** The list is read page by page. */
  readonly isWalk: boolean
}

export function randomCase(
  rng: Rng,
  number: number,
  callers: readonly Caller[],
  viewOf: (caller: Caller) => View,
): Case {
  const caller = rng.chance(ADMINISTRATOR_SHARE) ? 'administrator' : rng.pick(callers)
  const view = viewOf(caller)
  const walked = rng.chance(WALK_SHARE) ? walkedRead(rng, view) : null
  return {
    number,
    caller,
    read: walked ?? randomRead(rng, view),
    encoding: randomEncoding(rng),
    isAddress: rng.chance(0.2),
    isViewed: caller !== 'administrator' && rng.chance(0.3),
    isWalk: walked !== null,
  }
}

export function countOutcome(tally: ReadTally, outcome: Outcome): void {
  tally.statuses.set(outcome.status, (tally.statuses.get(outcome.status) ?? 0) + 1)
  const hasRows = outcome.status === 200 && (!Array.isArray(outcome.body.data) || outcome.body.data.length > 0)
  if (hasRows) tally.filled += 1
}

export interface Found {
  readonly reason: string | null
  readonly request: Request
  readonly expected: Outcome
  readonly actual: Pick<Reply, 'status' | 'body'>
}

export const outcomeOf = (view: View, read: Read): Outcome =>
  answer(view, read, (name: string, row: Row) => keyText(view.model, name, row))

/** Returns null if the protocol cannot express the read. */
export async function check(scene: Scene, view: View, one: Case, protocol: Protocol): Promise<Found | null> {
  const { tally } = scene
  const { server } = scene.theatre
  const { caller, read } = one
  const by = (request: Request): Request =>
    one.isViewed && caller !== 'administrator' ? viewedAs(caller, request) : request
  const send = (request: Request): Promise<Reply> => {
    tally.requests += 1
    return server.send(request).catch(noReply)
  }
  if (protocol === 'graphql') {
    const asked = scene.names === null ? null : graphRead(scene.names, view, read, caller)
    if (asked === null) return null
    const request = by(one.isAddress ? asGet(asked.request) : asked.request)
    const expected = outcomeOf(view, asked.read)
    const actual = await send(request)
    return { reason: server.ended() ?? graphFault(view, asked, expected, actual), request, expected, actual }
  }
  const request = by(requestOf(view.model, read, one.encoding, caller))
  const whole = outcomeOf(view, one.isWalk ? { ...read, query: { ...read.query, limit: -1 } } : read)
  if (one.isWalk && whole.status === 200) {
    const page = (extra: Readonly<Record<string, Json>>) =>
      send(by({ ...listRequest(view.model, read.query, one.encoding, extra), ...tokenOf(caller) }))
    const { reason, last } = await walkPages(read.query, whole.body.data as readonly unknown[], page)
    return { reason: server.ended() ?? reason, request, expected: whole, actual: last }
  }
  const actual = await send(request)
  return { reason: server.ended() ?? compare(whole, actual), request, expected: whole, actual }
}

/** How a response differs from the expected one, or null. */
export function compare(expected: Outcome, actual: Pick<Reply, 'status' | 'body'>): string | null {
  if (actual.status !== expected.status) return `status ${actual.status}, expected ${expected.status}`
  if (expected.status === 200) return difference(expected.body, actual.body)
  const code = codeOf(actual)
  return code === expected.code ? null : `code ${code}, expected ${expected.code}`
}

export function codeOf({ body }: Pick<Reply, 'body'>): string {
  const errors: unknown = isRecord(body) ? body['errors'] : null
  const first: unknown = Array.isArray(errors) ? errors[0] : null
  const extensions: unknown = isRecord(first) ? first['extensions'] : null
  return isRecord(extensions) ? String(extensions['code']) : 'none'
}

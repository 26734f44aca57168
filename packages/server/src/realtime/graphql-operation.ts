import { ServiceErrors, type WireError } from '@tain/contract'
import type { GraphQLError } from 'graphql'
import type { Actor } from '../access/actor.ts'
import type { Origin } from '../changes/change.ts'
import type { AbortFlag } from '../lib/abort-flag.ts'
import type { Position } from '../events/position.ts'
import { parseExactJson } from '../lib/exact-json.ts'
import type { Audience, Hub } from './hub.ts'
import { shownError } from './socket-refusal.ts'

/** An operation that a client sent. */
export interface GraphqlOperation {
  readonly query: unknown
  readonly variables: unknown
  readonly operationName: unknown
  readonly extensions: unknown
  readonly actor: Actor
  readonly origin: Origin
  readonly signal: AbortFlag
}

export interface GraphqlResult {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly GraphQLError[]
}

/** The response of a query or a mutation, or the results of a subscription until the consumer returns. */
export type GraphqlAnswer =
  | { readonly kind: 'reply'; readonly reply: string | AsyncIterable<string> }
  | { readonly kind: 'changes'; readonly changes: AsyncIterableIterator<GraphqlResult, undefined> }

/** Who is told the changes, and by whom. */
export interface GraphqlListener {
  readonly hub: Pick<Hub, 'subscribe'>
  readonly audience: Audience
  /** The place of the log when the operation arrived; null: it is not known. */
  readonly arrived: Promise<Position | null>
}

/** Runs an operation; app/ injects it. */
export type OpenGraphql = (operation: GraphqlOperation, listener: GraphqlListener) => Promise<GraphqlAnswer>

/** The protocol's library writes values, not texts. */
export async function resultOf(reply: string | AsyncIterable<string>): Promise<GraphqlResult> {
  if (typeof reply === 'string') return parseExactJson(reply) as GraphqlResult
  let text = ''
  for await (const piece of reply) text += piece
  return parseExactJson(text) as GraphqlResult
}

/** Why an operation is refused, or ended. */
export function shownErrors(error: unknown, onUnexpected: (error: unknown) => void): readonly WireError[] {
  const shown = error instanceof ServiceErrors ? error.errors : [shownError(error)]
  for (const each of shown) if (each.code === 'INTERNAL_SERVER_ERROR') onUnexpected(each.cause ?? each)
  return shown.map((each) => each.toWire())
}

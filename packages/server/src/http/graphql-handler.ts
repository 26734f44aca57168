import type { Actor } from '../access/actor.ts'
import type { Origin } from '../changes/change.ts'
import type { AbortFlag } from '../lib/abort-flag.ts'
import type { CallContext, SignedIn } from '../procedure.ts'
import type { Page } from './page.ts'

export type GraphqlScope = 'items' | 'system'

export interface GraphqlCall {
  readonly scope: GraphqlScope
  readonly isSafe: boolean
  readonly isViewed: boolean
  readonly query: unknown
  readonly variables: unknown
  readonly operationName: unknown
  readonly extensions: unknown
  readonly actor: Actor
  readonly origin: Origin
  readonly visitor: Visitor
  readonly isDryRun: boolean
  readonly isExplained: boolean
  readonly signal: AbortFlag
}

/** The client's side of authentication. */
export interface Visitor {
  readonly context: () => CallContext
  readonly checkOrigin: () => void
  readonly signedIn: (tokens: SignedIn) => void
  readonly signedOut: () => void
  /** The response is for nobody to store. */
  readonly keepSecret: () => void
}

/** Handler of GraphQL requests; app.ts injects it. */
export interface GraphqlHandler {
  readonly run: (call: GraphqlCall) => Promise<string | AsyncIterable<string>>
  /** The GraphiQL page; null: there is none. */
  readonly page: (() => Promise<Page>) | null
}

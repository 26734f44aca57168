import type { ProcedureName, Procedures, SchemaPlan } from '@tain/contract'
import type { Output, Received } from '@tain/contract/schemas'
import type { Actor } from './access/actor.ts'
import type { Origin } from './changes/change.ts'
import type { Client } from './store/sessions.ts'
import type { ParsedQuery } from './query/parse-query.ts'

/** The client of a call: its address and its cookies. */
export interface CallContext {
  readonly client: Client
  readonly cookies: { readonly refresh: string | null; readonly session: string | null }
}

export interface Call<Input, Caller = Actor> {
  readonly actor: Caller
  /** Checked when it is first read, because some procedures check the caller first. */
  readonly input: Input
  readonly context: CallContext
  /** The origin of the request, as activity records it. */
  readonly origin: Origin
  /**
   * Whether a change is only planned, or rolled back; false unless the row says so. A roll back is announced to the
   * client when this is first read, so also with errors of the change itself.
   */
  readonly isDryRun: boolean
  /** The selected fields, if the result is items. */
  readonly selection: () => Pick<ParsedQuery, 'query' | 'values'>
  /** The document that was sent, if the row says so. */
  readonly document: () => Promise<unknown>
}

/** The tokens that a login or refresh returns. */
export interface SignedIn {
  readonly mode: 'json' | 'cookie' | 'session'
  readonly accessToken: string
  /** In mode session it is part of the access token. */
  readonly refreshToken: string
  /** Lifetime of the access token in milliseconds. */
  readonly expires: number
  /** Lifetime of the refresh token in milliseconds. */
  readonly refreshExpires: number
}

/** A file of text. */
export interface TextFile {
  readonly name: string
  readonly mediaType: string
  readonly content: string | AsyncIterable<string>
}

/** Results that protocols turn into the output; all other results are the output itself. */
interface Results {
  readonly tokens: SignedIn
  /** JSON that the database has built; without a version there is no ETag. */
  readonly item: { readonly data: string; readonly rowVersion: string | null; readonly isOfRowAlone: boolean }
  readonly 'new item': { readonly data: string | null; readonly rowVersion: string | null }
  readonly items: readonly string[]
  readonly removed: undefined
  readonly 'json text': { readonly pieces: readonly string[]; readonly tag: string }
  readonly 'long text': AsyncIterable<string>
  readonly file: TextFile
  readonly 'data or file': { readonly data: unknown } | { readonly file: TextFile }
}

type Kind<N extends ProcedureName> = Procedures[N]['response']

type Plan<N extends ProcedureName> = Procedures[N] extends { readonly dryRun: 'plan' } ? SchemaPlan : never

export type Result<N extends ProcedureName> = (Kind<N> extends keyof Results ? Results[Kind<N>] : Output<N>) | Plan<N>

type CallerOf<N extends ProcedureName> = Procedures[N] extends { readonly token: 'unread' } ? null : Actor

/** The implementation of a row in the contract's table, the same for every caller and protocol. */
export type Procedure<N extends ProcedureName> = (call: Call<Received<N>, CallerOf<N>>) => Promise<Result<N>>

export type Implementations<N extends ProcedureName> = { readonly [K in N]: Procedure<K> }

/** Without its types, for protocols: the table pairs each procedure with its input and output. */
export type AnyProcedure = (call: Call<never, never>) => Promise<unknown>

/** The procedures of a running service; some need tables that a read-only service does not have. */
export type ServedProcedures = Readonly<Partial<Record<ProcedureName, AnyProcedure>>>

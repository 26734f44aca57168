import type { ServiceError } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { Position } from '../events/position.ts'
import type { ParsedQuery } from '../query/parse-query.ts'

export type ToldKind = 'create' | 'update' | 'delete'

/** What a client wants to hear. */
export interface Wish {
  readonly collection: string
  /** The collection is one of the service. */
  readonly isSystem: boolean
  readonly query: ParsedQuery & { readonly queryKey: string }
  /** Only these changes; null: all. */
  readonly event: ToldKind | null
  /** One item, by its key; null: all. */
  readonly item: string | null
  /** The position to go on from; null: from now on. */
  readonly from: Position | null
  /** The place when the wish arrived: changes after it are told; null: the client hears by `init` since when it is told. */
  readonly since: Position | null
  /** The result instead of the changes. */
  readonly isLive: boolean
  /** Whether the first rows are wanted: GraphQL begins without them. */
  readonly hasInit: boolean
  /** Whether created and changed rows are told with their keys: messages of sockets and streams do not show them. */
  readonly hasKeys: boolean
  /** Whether positions are told while nothing else is. */
  readonly tellsPositions: boolean
}

/** A row of an event. */
export interface ToldRow {
  /**
   * The key as addresses have it. An opaque text where the caller may not read it: the same for a row in one subscription,
   * another one in the next. null: the caller may not read it, and the wish has no keys.
   */
  readonly key: string | null
  /** The row as JSON; null: it was deleted. */
  readonly json: string | null
}

/** What a subscription is told. Texts are JSON, made once for all subscriptions that are told the same. */
export type Told =
  | {
      readonly kind: 'init'
      /** null: left out. */
      readonly data: string | null
      readonly meta: string | null
      readonly position: string
      /** null: no position was asked for. */
      readonly isResumed: boolean | null
    }
  | { readonly kind: ToldKind; readonly data: string; readonly rows: readonly ToldRow[]; readonly position: string }
  | { readonly kind: 'result'; readonly data: string; readonly meta: string | null; readonly position: string }
  | { readonly kind: 'position'; readonly position: string }
  /** The subscription is over. */
  | { readonly kind: 'error'; readonly error: ServiceError }

/** One who is told things: mostly a connection. Its caller can change. */
export interface Audience {
  /** The caller now; null: nobody, who may read nothing and is told nothing, while the subscription stays. */
  readonly actor: () => Actor | null
  /** The administrator who reads with the permissions of that caller; absent or null: nobody. */
  readonly viewer?: Actor | null
}

export interface Subscription {
  /** Nothing is told after it. */
  readonly close: () => void
}

export interface Hub {
  /**
   * Begins a subscription. Refuses as the same read would be refused. `tell` gets `init` before anything else, and nothing
   * before this resolves. It is called in order, and must not throw.
   */
  readonly subscribe: (audience: Audience, wish: Wish, tell: (told: Told) => void) => Promise<Subscription>
  /** The newest place of the log. */
  readonly place: () => Promise<Position>
  /** The caller of an audience has changed: its subscriptions go on with the rights of the new one. */
  readonly changed: (audience: Audience) => void
  readonly start: () => void
  readonly stop: () => Promise<void>
}

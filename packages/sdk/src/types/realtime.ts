import type { MetaValue } from '../contract.ts'
import type { Aliases, NoAliases } from './paths.ts'
import type { ListQuery, Meta } from './queries.ts'
import type { Row } from './rows.ts'
import type { CollectionOf, KeyOf, MayOf } from './schema.ts'

export type ChangeKind = 'create' | 'update' | 'delete'

interface Told {
  /** A place in the log of all changes: `from` goes on after it. */
  readonly position: string
}

/** The result of the query: it takes the place of everything that was told before. */
export interface InitEvent<R, M extends MetaValue = never> extends Told {
  readonly event: 'init'
  readonly data: R[]
  readonly meta?: Meta<M>
  /** False: the changes since `from`, or since a break, are not kept any more, and may be missing. */
  readonly resumed?: false
}

/** The changes since `from` follow. */
export interface ResumedEvent extends Told {
  readonly event: 'init'
  readonly data?: undefined
  readonly resumed: true
}

/** The beginning of a subscription to one kind of changes, which has no first rows. */
export interface BeginEvent extends Told {
  readonly event: 'init'
  readonly data?: undefined
  readonly resumed?: boolean
}

/** Rows to put in place of those with the same key. */
export interface RowsEvent<R, E extends ChangeKind = 'create' | 'update'> extends Told {
  readonly event: E
  readonly data: R[]
}

/** Keys of rows that were deleted, or that the caller sees no longer. */
export interface DeleteEvent<K> extends Told {
  readonly event: 'delete'
  readonly data: K[]
}

/** The whole result of a live query, each time it has changed. */
export interface ResultEvent<R, M extends MetaValue = never> extends Told {
  readonly event: 'result'
  readonly data: R[]
  readonly meta?: Meta<M>
}

export type ChangeEvent<R, K, M extends MetaValue = never> =
  | InitEvent<R, M>
  | ResumedEvent
  | RowsEvent<R>
  | DeleteEvent<K>

export type LiveEvent<R, M extends MetaValue = never> = InitEvent<R, M> | ResultEvent<R, M>

type OneKindEvent<R, K, E extends ChangeKind> = BeginEvent | (E extends 'delete' ? DeleteEvent<K> : RowsEvent<R, E>)

/** Events, until it is closed or left. It throws when the service ends it. */
export interface Subscription<E> extends AsyncIterableIterator<E, undefined> {
  /** The position of the last event that arrived; null before the first. */
  readonly position: string | null
  readonly close: () => void
}

export interface SubscribeQuery<
  S,
  C,
  P extends string,
  O extends string,
  A extends Aliases,
  M extends MetaValue,
> extends Omit<ListQuery<S, C, P, O, A>, 'cursor' | 'seek'> {
  meta?: readonly M[]
}

export interface SubscribeOptions {
  /** Goes on after this position of an earlier event. */
  from?: string
  signal?: AbortSignal
}

/** Collections that the caller may read. */
export type ReadableOf<S> = {
  [C in CollectionOf<S>]: 'read' extends MayOf<S, C> ? C : never
}[CollectionOf<S>]

export interface Subscribe<S> {
  /** The result of the query, and again whenever it has changed. */
  <
    C extends ReadableOf<S>,
    P extends string = '*',
    O extends string = never,
    const A extends Aliases = NoAliases,
    M extends MetaValue = never,
  >(
    collection: C,
    query: SubscribeQuery<S, C, P, O, A, M>,
    options: Pick<SubscribeOptions, 'signal'> & { live: true },
  ): Subscription<LiveEvent<Row<S, C, P, A>, M>>
  /** One kind of changes. */
  <
    C extends ReadableOf<S>,
    E extends ChangeKind,
    P extends string = '*',
    O extends string = never,
    const A extends Aliases = NoAliases,
  >(
    collection: C,
    query: SubscribeQuery<S, C, P, O, A, never>,
    options: SubscribeOptions & { event: E },
  ): Subscription<OneKindEvent<Row<S, C, P, A>, KeyOf<S, C>, E>>
  /** The rows of the query, then the changes. */
  <
    C extends ReadableOf<S>,
    P extends string = '*',
    O extends string = never,
    const A extends Aliases = NoAliases,
    M extends MetaValue = never,
  >(
    collection: C,
    query?: SubscribeQuery<S, C, P, O, A, M>,
    options?: SubscribeOptions,
  ): Subscription<ChangeEvent<Row<S, C, P, A>, KeyOf<S, C>, M>>
}

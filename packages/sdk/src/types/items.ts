import type { MetaValue } from '../contract.ts'
import type { CallOptions, WriteOptions } from '../options.ts'
import type { Aliases, NoAliases } from './paths.ts'
import type {
  AggregateQuery,
  AggregateRow,
  Aggregates,
  ListQuery,
  Matching,
  Meta,
  MetaQuery,
  Selection,
} from './queries.ts'
import type { Row } from './rows.ts'
import type { CreateOf, IsSingleton, KeyArgument, MayOf, Names, UpdateOf } from './schema.ts'

/** Reads of a collection. */
export interface Reads<S, C> {
  list<P extends string = '*', O extends string = never, const A extends Aliases = NoAliases>(
    query?: ListQuery<S, C, P, O, A>,
    options?: CallOptions,
  ): Promise<Row<S, C, P, A>[]>
  /** The list, and what `meta` asks about it. */
  listWithMeta<
    M extends MetaValue,
    P extends string = '*',
    O extends string = never,
    const A extends Aliases = NoAliases,
  >(
    query: ListQuery<S, C, P, O, A> & MetaQuery<M>,
    options?: CallOptions,
  ): Promise<{ data: Row<S, C, P, A>[]; meta: Meta<M> }>
  /** The first row of the list, or null. */
  find<P extends string = '*', O extends string = never, const A extends Aliases = NoAliases>(
    query?: ListQuery<S, C, P, O, A>,
    options?: CallOptions,
  ): Promise<Row<S, C, P, A> | null>
  /** All rows of the list, page by page; `limit` is the size of a page. */
  each<P extends string = '*', O extends string = never, const A extends Aliases = NoAliases>(
    query?: Omit<ListQuery<S, C, P, O, A>, 'offset' | 'page'>,
    options?: CallOptions,
  ): AsyncGenerator<Row<S, C, P, A>, void, undefined>
  read<P extends string = '*', const A extends Aliases = NoAliases>(
    key: KeyArgument<S, C>,
    query?: Selection<S, C, P, A>,
    options?: CallOptions,
  ): Promise<Row<S, C, P, A>>
  /** The row and its version, for `ifMatch`. */
  readWithMeta<P extends string = '*', const A extends Aliases = NoAliases>(
    key: KeyArgument<S, C>,
    query?: Selection<S, C, P, A>,
    options?: CallOptions,
  ): Promise<{ data: Row<S, C, P, A>; etag: string | null }>
  aggregate<const G extends Aggregates<S, C>, P extends string = never>(
    query: AggregateQuery<S, C, G, P>,
    options?: CallOptions,
  ): Promise<AggregateRow<S, C, G, P>[]>
}

/** Callers who may not read get nothing back. */
export type Written<S, C, P extends string, A> = 'read' extends MayOf<S, C> ? Row<S, C, P, A> : undefined

/** The overload of one item is the last one: the compiler reports the errors of that. */
export interface Creates<S, C> {
  /** All of them or none. */
  create<P extends string = '*', const A extends Aliases = NoAliases>(
    items: readonly CreateOf<S, C>[],
    query?: Selection<S, C, P, A>,
    options?: WriteOptions,
  ): Promise<Written<S, C, P, A>[]>
  create<P extends string = '*', const A extends Aliases = NoAliases>(
    item: CreateOf<S, C>,
    query?: Selection<S, C, P, A>,
    options?: WriteOptions,
  ): Promise<Written<S, C, P, A>>
}

/** A change by key can depend on the version of the row. */
export interface KeyedWriteOptions extends WriteOptions {
  ifMatch?: string
}

export interface Updates<S, C> {
  update<P extends string = '*', const A extends Aliases = NoAliases>(
    key: KeyArgument<S, C>,
    patch: UpdateOf<S, C>,
    query?: Selection<S, C, P, A>,
    options?: KeyedWriteOptions,
  ): Promise<Written<S, C, P, A>>
  /** The same change for several keys, or for all rows that match. */
  updateMany<P extends string = '*', const A extends Aliases = NoAliases>(
    which: readonly KeyArgument<S, C>[] | Matching<S, C>,
    patch: UpdateOf<S, C>,
    query?: Selection<S, C, P, A>,
    options?: WriteOptions,
  ): Promise<Written<S, C, P, A>[]>
}

export interface UpsertQuery<S, C, P extends string, A extends Aliases> extends Selection<S, C, P, A> {
  /** The unique field that decides; the key by default. */
  on_conflict?: Names<S, C>
}

export interface Upserts<S, C> {
  upsert<P extends string = '*', const A extends Aliases = NoAliases>(
    items: readonly CreateOf<S, C>[],
    query?: UpsertQuery<S, C, P, A>,
    options?: WriteOptions,
  ): Promise<Written<S, C, P, A>[]>
  upsert<P extends string = '*', const A extends Aliases = NoAliases>(
    item: CreateOf<S, C>,
    query?: UpsertQuery<S, C, P, A>,
    options?: WriteOptions,
  ): Promise<Written<S, C, P, A>>
}

export interface Deletes<S, C> {
  delete(key: KeyArgument<S, C>, options?: KeyedWriteOptions): Promise<void>
  deleteMany(which: readonly KeyArgument<S, C>[] | Matching<S, C>, options?: WriteOptions): Promise<void>
}

export interface SingletonReads<S, C> {
  read<P extends string = '*', const A extends Aliases = NoAliases>(
    query?: Selection<S, C, P, A>,
    options?: CallOptions,
  ): Promise<Row<S, C, P, A>>
}

export interface SingletonUpdates<S, C> {
  update<P extends string = '*', const A extends Aliases = NoAliases>(
    patch: UpdateOf<S, C>,
    query?: Selection<S, C, P, A>,
    options?: WriteOptions,
  ): Promise<Written<S, C, P, A>>
}

/** The methods of verbs that the caller does not have are missing. */
type With<May, Verb extends string, Methods> = Verb extends May ? Methods : unknown

type Many<S, C, May> = With<May, 'read', Reads<S, C>> &
  With<May, 'create', Creates<S, C>> &
  With<May, 'update', Updates<S, C>> &
  ('create' | 'update' extends May ? Upserts<S, C> : unknown) &
  With<May, 'delete', Deletes<S, C>>

type Single<S, C, May> = With<May, 'read', SingletonReads<S, C>> & With<May, 'update', SingletonUpdates<S, C>>

/** The methods that the caller may use on a collection. Without a schema: all of them. */
export type Items<S, C> =
  boolean extends IsSingleton<S, C>
    ? Many<S, C, MayOf<S, C>> & Single<S, C, MayOf<S, C>>
    : IsSingleton<S, C> extends true
      ? Single<S, C, MayOf<S, C>>
      : Many<S, C, MayOf<S, C>>

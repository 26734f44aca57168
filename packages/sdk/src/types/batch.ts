import type { systemPaths } from '../contract.ts'
import type { Row } from './rows.ts'
import type { CollectionOf, CreateOf, KeyArgument, MayOf, UpdateOf } from './schema.ts'
import type { Matching } from './queries.ts'

/** A write that is not sent by itself. */
export interface Operation<Result> {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** Written as a list of one row. */
  readonly isOfList?: true
  /** Only types. */
  readonly result?: Result
}

type Shown<S, C> = 'read' extends MayOf<S, C> ? Row<S, C> : undefined

interface CreateOperations<S, C> {
  create(items: readonly CreateOf<S, C>[]): Operation<Shown<S, C>[]>
  create(item: CreateOf<S, C>): Operation<Shown<S, C>>
}

interface UpdateOperations<S, C> {
  update(key: KeyArgument<S, C>, patch: UpdateOf<S, C>): Operation<Shown<S, C>>
  updateMany(which: readonly KeyArgument<S, C>[] | Matching<S, C>, patch: UpdateOf<S, C>): Operation<Shown<S, C>[]>
}

interface UpsertOperations<S, C> {
  upsert(items: readonly CreateOf<S, C>[]): Operation<Shown<S, C>[]>
  upsert(item: CreateOf<S, C>): Operation<Shown<S, C>>
}

interface DeleteOperations<S, C> {
  delete(key: KeyArgument<S, C>): Operation<undefined>
  deleteMany(which: readonly KeyArgument<S, C>[] | Matching<S, C>): Operation<undefined>
}

/** The writes of a batch on one collection. */
export type Operations<S, C> = ('create' extends MayOf<S, C> ? CreateOperations<S, C> : unknown) &
  ('update' extends MayOf<S, C> ? UpdateOperations<S, C> : unknown) &
  ('create' | 'update' extends MayOf<S, C> ? UpsertOperations<S, C> : unknown) &
  ('delete' extends MayOf<S, C> ? DeleteOperations<S, C> : unknown)

/** The service accepts only collections of the database in a batch. */
export type BatchItems<S> = <C extends Exclude<CollectionOf<S>, keyof typeof systemPaths>>(
  collection: C,
) => Operations<S, C>

export type ResultsOf<T extends readonly Operation<unknown>[]> = {
  -readonly [I in keyof T]: T[I] extends Operation<infer R> ? R : never
}

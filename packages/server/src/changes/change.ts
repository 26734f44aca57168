import type { Collection } from '../schema/schema.ts'

/** `login` and `logout` are changes of a user's sessions, recorded with the user. */
export type ChangeAction = 'create' | 'update' | 'delete' | 'login' | 'logout'

/** A row that a stage has written, deleted or touched, before it is reported. */
export interface ChangedRow {
  readonly collection: Collection
  /** As the database prints it. */
  readonly key: readonly string[]
  readonly action: ChangeAction
  /** The whole row before the write, as JSON; null unless a consumer wants it and the write can return it. */
  readonly before: string | null
  /** The whole row after the write, as JSON; null unless a consumer wants it. */
  readonly after: string | null
  /** The changed values, as JSON. */
  readonly delta: string | null
  /** No activity is recorded for it: a move within an order, a link without other values. */
  readonly isUnrecorded?: boolean
}

/** A change of a row, as the consumers receive it inside the transaction. */
export interface Change extends ChangedRow {
  /** The user who made it; null: an unauthenticated caller or the service itself. */
  readonly actor: string | null
  /** Its place among the changes of the transaction, from 0. */
  readonly position: number
}

/** The origin of a request. */
export interface Origin {
  readonly ip: string | null
  readonly userAgent: string | null
}

/** The caller who made the changes, and the origin of the request. */
export interface Cause {
  readonly by: string | null
  readonly origin: Origin
}

import type { SystemCollectionName } from '../collections/collection.ts'

/** The members of an input, and where each is in a REST request. In GraphQL they are arguments, in this order. */
export type Source =
  /** A member of the body. */
  | 'body'
  /** The body itself. */
  | 'whole body'
  /** A parameter of the path, decoded. */
  | 'path'
  /** The last part of the path as it was sent: keys have their own encoding. */
  | 'raw path'
  | 'query'
  /** All values of a parameter, split at commas. */
  | 'query list'
  /** A constant of the address. */
  | 'address'

/** How the result is sent. */
export type ResponseKind =
  /** `{"data": …}`; a value in GraphQL. */
  | 'data'
  /** The output itself, without an envelope. */
  | 'body'
  /** JSON text in pieces, without an envelope, with its ETag. */
  | 'json text'
  /** An item of a system collection with the fields that the caller selects, and its ETag. */
  | 'item'
  /** An item that was made, in the same way; no content if the caller may not read it. */
  | 'new item'
  /** The same for several items. */
  | 'items'
  /** Without an envelope, with the media type of health checks; 503 unless the status is ok. */
  | 'health'
  /** Plain text. */
  | 'text'
  /** Plain text in pieces; one text in GraphQL. */
  | 'long text'
  /** The same as a file to save. */
  | 'file'
  /** A file if the caller asks for one, otherwise `data`. */
  | 'data or file'
  /** No content; the input in GraphQL. */
  | 'removed'
  /** No content; true in GraphQL. */
  | 'nothing'
  /** An empty body with status 200; true in GraphQL. */
  | 'done'
  /** Tokens, in the body or in cookies. */
  | 'tokens'
  /** No content, and the cookies of the session are removed. */
  | 'signed out'
  /** A redirect to the application; in GraphQL whether it succeeded. */
  | 'redirect'

export interface ProcedureRow {
  /** The callers who may use it. */
  readonly callers: 'anybody' | 'users' | 'administrators'
  /**
   * `ignored`: every caller counts as unauthenticated, so that an invalid token does not keep its owner from getting a
   * new one. `unread`: there is no caller, and so no need for the database. `lenient`: a session that has ended counts as
   * none, because the browser sends its cookie by itself.
   */
  readonly token?: 'ignored' | 'unread' | 'lenient'
  /** Open to callers who still have to set up a second factor. */
  readonly isOpen?: true
  /**
   * How `Prefer: tx=rollback` is handled. `rollback`: the change is made and rolled back. `plan`: the response is the
   * plan of the change; GraphQL has no type for it and refuses.
   */
  readonly dryRun: 'harmless' | 'rollback' | 'plan' | 'refused'
  /** The setting with the minimum duration, which also applies if the payload is rejected. */
  readonly minimumDuration?: 'login' | 'registration'
  /** Whether it sets cookies, or reads them too, depending on `mode`. */
  readonly cookies?: 'set' | 'read'
  /** Refuses unknown parameters of the query string: a typo could drop more than intended. */
  readonly isStrict?: true
  /** The body is a large document in JSON or YAML, or a form with such a file. For administrators only. */
  readonly hasDocument?: true
  /** The response has an ETag, so that a client that already has it gets 304. */
  readonly isTagged?: true
  /** The response must not be stored by caches. */
  readonly isSecret?: true
  readonly response: ResponseKind
  /** The system collection whose items it returns; callers who may not read it do not see the root field. */
  readonly items?: SystemCollectionName
  readonly input: Readonly<Record<string, Source>>
  readonly rest: readonly RestAddress[]
  /** null: only for REST. */
  readonly graphql: RootField | null
}

export type Method = 'GET' | 'SEARCH' | 'POST' | 'PATCH' | 'DELETE'

export type RestAddress = readonly [method: Method, path: string, constants?: Readonly<Record<string, string>>]

export interface RootField {
  readonly operation: 'query' | 'mutation'
  readonly name: string
  /** May appear once per operation, so that one request cannot try it many times. */
  readonly isOnce?: true
  /** The one argument that contains all members. */
  readonly argument?: string
  /** Members whose argument has another name. */
  readonly names?: Readonly<Record<string, string>>
  /** Members whose argument is a key: texts and integers. */
  readonly keys?: readonly string[]
}

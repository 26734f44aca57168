// What extensions are written against, published as `tain/extensions`. It imports nothing, so that its declarations
// stand alone.

/** A row, or values of it, as JSON has them. */
export type Values = Readonly<Record<string, unknown>>

/** The key of a row; keys of several columns as addresses have them, such as `1,2`. */
export type Key = string | number

/** Rows of your collections. Queries are those of SEARCH: `{ fields, filter, sort, limit, … }`. */
export interface Items {
  list<Row = Values>(collection: string, query?: Values): Promise<Row[]>
  /** null: there is no such row, or it is not visible. */
  read<Row = Values>(collection: string, key: Key, query?: Values): Promise<Row | null>
  create<Row = Values>(collection: string, values: Values): Promise<Row>
  update<Row = Values>(collection: string, key: Key, values: Values): Promise<Row>
  delete(collection: string, key: Key): Promise<void>
}

/** Writes lines to the log of the service, with the name of the extension. */
export interface Log {
  info(message: string, details?: Values): void
  warn(message: string, details?: Values): void
  error(message: string, details?: Values): void
}

/** The error codes of a refusal, each with its status. */
export type RefusalCode =
  | 'FAILED_VALIDATION'
  | 'INVALID_PAYLOAD'
  | 'INVALID_QUERY'
  | 'FORBIDDEN'
  | 'ROUTE_NOT_FOUND'
  | 'PRECONDITION_FAILED'
  | 'UNPROCESSABLE_CONTENT'
  | 'REQUESTS_EXCEEDED'
  | 'SERVICE_UNAVAILABLE'

/** Who sent a request. */
export interface Caller {
  /** null: nobody is signed in, or the service itself. */
  readonly user: string | null
  readonly role: string | null
  readonly isAdmin: boolean
}

/** A row before it is written. */
export interface FilteredChange {
  readonly collection: string
  readonly action: FilterAction
  /** null: the database makes the key. */
  readonly key: string | null
  /** What is written. Values that other rows of the same request provide are not in it; secrets are masked. */
  readonly values: Values
}

export interface FilterContext {
  readonly caller: Caller
  readonly origin: { readonly ip: string | null; readonly userAgent: string | null }
  /** The request is rolled back in the end. */
  readonly isDryRun: boolean
  /** Inside the transaction of the write, with every permission. */
  readonly items: Items
  /** Aborted when the time is up. */
  readonly signal: AbortSignal
}

export type FilterAction = 'create' | 'update' | 'delete'

/** Returns values to write in place of those that were sent, or nothing. Throws `api.refuse(…)` to refuse the request. */
export type Filter = (change: FilteredChange, context: FilterContext) => Values | void | Promise<Values | void>

/** `truncate`: all rows of the collection were removed at once; such an event has no key and no rows. */
export type EventAction = 'create' | 'update' | 'delete' | 'truncate'

/** A change that was committed. */
export interface ChangeEvent {
  readonly collection: string
  readonly action: EventAction
  readonly key: string
  /** The whole row; null: there was none, or it is not known. */
  readonly before: Values | null
  readonly after: Values | null
  readonly user: string | null
  readonly at: string
  /** Grows with every event. The same event may come again, with the same position. */
  readonly position: number
}

/** Rights are those of the service itself. */
export interface WorkContext {
  readonly items: Items
  /** Aborted when the time is up, or the service stops. */
  readonly signal: AbortSignal
}

export type Action = (event: ChangeEvent, context: WorkContext) => unknown

export interface JobContext extends WorkContext {
  /** The time that the schedule names. */
  readonly time: Date
}

export interface JobOptions {
  /** Milliseconds; EXTENSIONS_TIMEOUT by default. */
  readonly timeout?: number
}

export type Job = (context: JobContext) => unknown

export type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface EndpointRequest {
  readonly method: EndpointMethod
  /** The path below `/extensions/<name>`. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** In lower case, without those that carry credentials. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON; undefined: there is none. */
  readonly body: unknown
  readonly caller: Caller
  /** With the rights of the caller. */
  readonly items: Items
  /** With every permission. */
  readonly asSystem: Items
  readonly signal: AbortSignal
}

export interface EndpointResponse {
  /** 200 by default, 204 without a body. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
}

export type Endpoint = (request: EndpointRequest) => EndpointResponse | void | Promise<EndpointResponse | void>

/** What an extension registers its code with. */
export interface Api {
  /** The name of the extension: that of its file or folder. */
  readonly name: string
  readonly log: Log
  /** Runs inside the transaction, before a row is written. */
  filter(collection: string, actions: readonly FilterAction[], filter: Filter): void
  /** Runs after the commit, at least once for every change, in the order of the changes. */
  action(collection: string, actions: readonly EventAction[], action: Action): void
  /** Runs at the times of a cron text (UTC), on one replica. */
  job(name: string, schedule: string, job: Job, options?: JobOptions): void
  /** Serves `/extensions/<name><path>`; `:name` in the path is a parameter. */
  endpoint(method: EndpointMethod, path: string, endpoint: Endpoint): void
  /** An error to throw: the caller gets its message. UNPROCESSABLE_CONTENT by default. */
  refuse(message: string, code?: RefusalCode): Error
}

export interface Extension {
  readonly register: (api: Api) => void | Promise<void>
}

/** `export const extension = defineExtension((api) => { … })` */
export const defineExtension = (register: Extension['register']): Extension => ({ register })

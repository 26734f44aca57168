/** Internal events, for logs and metrics. */
export type Observation =
  | {
      readonly kind: 'schema-loaded'
      readonly version: number
      readonly collections: number
      readonly milliseconds: number
      readonly hidden: readonly { schema: string; table: string; column: string | null; reason: string }[]
      /** Collections whose tables do not support transactions. */
      readonly withoutTransactions: readonly string[]
    }
  | { readonly kind: 'names-given'; readonly fields: readonly string[]; readonly displaced: readonly string[] }
  | { readonly kind: 'poll-failed'; readonly error: unknown; readonly isOutage: boolean }
  | { readonly kind: 'answer-outdated'; readonly had: string; readonly found: string }
  | { readonly kind: 'statement-outdated'; readonly error: unknown }
  /** A statement failed by a name that the database does not know, although its schema was just read. */
  | { readonly kind: 'statement-impossible'; readonly error: unknown }
  /** The time includes the wait for a connection. */
  | { readonly kind: 'statement-slow'; readonly text: string; readonly milliseconds: number }
  /** A server beside the primary gave the rows of a read. */
  | { readonly kind: 'reader-answered' }
  /** It had not replayed enough of the log, so the primary was asked. */
  | { readonly kind: 'reader-behind' }
  /** It did not answer, so the primary was asked. */
  | { readonly kind: 'reader-away' }
  /** Its schema was an older one, or it failed in another way, so the primary was asked. */
  | { readonly kind: 'reader-outdated' }
  /** A read whose plan costs more than it may. `isNew`: its statement was not reported lately. */
  | {
      readonly kind: 'statement-costly'
      readonly text: string
      readonly fingerprint: string
      readonly cost: number
      readonly limit: number
      readonly isRefused: boolean
      readonly isNew: boolean
    }
  | { readonly kind: 'schema-changed'; readonly statements: readonly string[]; readonly milliseconds: number }
  | { readonly kind: 'schema-busy'; readonly tries: number; readonly error: unknown }
  | { readonly kind: 'cleanup-postponed'; readonly error: unknown }
  | { readonly kind: 'undo-failed'; readonly object: string; readonly error: unknown }
  | { readonly kind: 'change-undone'; readonly objects: readonly string[] }
  | { readonly kind: 'import-progress'; readonly collection: string; readonly rows: number; readonly rate: number }
  /** A storage of files cannot be used. `place`: the folder or the bucket. */
  | { readonly kind: 'storage-failed'; readonly storage: string; readonly place: string; readonly reason: string }
  /** Objects of no file stay in a storage until they are swept. */
  | { readonly kind: 'objects-left'; readonly count: number; readonly error: unknown }
  /** An export in the background left no file; its caller is told. */
  | { readonly kind: 'export-failed'; readonly collection: string; readonly error: unknown }
  | { readonly kind: 'file-task-failed'; readonly task: string; readonly error: unknown }
  /** Nobody can go on from an earlier position of the log. */
  | { readonly kind: 'epoch-renewed'; readonly reason: string }
  | { readonly kind: 'event-task-failed'; readonly task: string; readonly error: unknown }
  /** Work of sockets and streams failed for a reason that nobody expected. */
  | { readonly kind: 'realtime-failed'; readonly what: string; readonly error: unknown }
  /** A delivery was never taken; it can be sent again. */
  | { readonly kind: 'webhook-dead'; readonly webhook: string; readonly delivery: string }
  /** The receiver wants nothing more: the webhook is disabled. */
  | { readonly kind: 'webhook-gone'; readonly webhook: string }
  /** The receiver failed many times in a row: only one delivery at a time is tried until it takes one. */
  | { readonly kind: 'webhook-failing'; readonly webhook: string }
  /** `milliseconds`: how long it failed. */
  | { readonly kind: 'webhook-recovered'; readonly webhook: string; readonly milliseconds: number }
  /** Changes were gone from the log, or may have been, before they became deliveries. */
  | { readonly kind: 'webhook-behind'; readonly webhook: string; readonly isNewEpoch: boolean }
  | { readonly kind: 'webhooks-failed'; readonly error: unknown }
  /** A line that the code of an extension wrote. */
  | {
      readonly kind: 'extension-said'
      readonly extension: string
      readonly level: 'info' | 'warn' | 'error'
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'extensions-loaded'; readonly names: readonly string[] }
  | { readonly kind: 'extension-unusable'; readonly file: string; readonly reason: string }
  /** No change reaches a hook. */
  | { readonly kind: 'extension-idle'; readonly extension: string; readonly hook: string; readonly reason: string }
  /** Code of an extension threw, rejected or took too long. */
  | { readonly kind: 'extension-failed'; readonly extension: string; readonly hook: string; readonly error: unknown }
  /** An action hook failed, and gets the change again after a while. */
  | {
      readonly kind: 'extension-retries'
      readonly extension: string
      readonly hook: string
      readonly position: number
      readonly tries: number
      readonly wait: number
      readonly error: unknown
    }
  /** The log no longer has changes that an action hook has not heard of. */
  | {
      readonly kind: 'extension-missed'
      readonly extension: string
      readonly hook: string
      readonly from: number
      readonly to: number
    }
  /** The log or the database did not answer; the action hooks of an extension go on later. */
  | { readonly kind: 'extension-delayed'; readonly extension: string; readonly error: unknown }
  | { readonly kind: 'mail-sent'; readonly about: string }
  | { readonly kind: 'mail-failed'; readonly about: string; readonly code: string; readonly isGivenUp: boolean }
  | { readonly kind: 'mail-dropped'; readonly about: string; readonly reason: string }
  | { readonly kind: 'mails-lost'; readonly count: number }
  | { readonly kind: 'picture-made'; readonly milliseconds: number }
  /** More pictures are wished than can be made. */
  | { readonly kind: 'picture-refused' }
  /** A picture took too long, and the process that made it was killed. */
  | { readonly kind: 'picture-late' }
  /** The process that made a picture ended: its decoder crashed, or memory ran out. */
  | { readonly kind: 'picture-crashed' }
  | { readonly kind: 'login-delayed'; readonly user: string; readonly failures: number }
  /** The settings name an administrator that cannot be created: another user has the address or the token. */
  | { readonly kind: 'administrator-taken'; readonly settings: readonly string[]; readonly isMade: boolean }
  | { readonly kind: 'refresh-replayed'; readonly user: string }
  | { readonly kind: 'secret-unreadable'; readonly user: string }
  /** A permission names collections or fields that do not exist; it grants nothing on them until they do. */
  | { readonly kind: 'permission-idle'; readonly permission: number | null; readonly names: readonly string[] }
  /** The rules of a permission cannot be used, so it grants nothing. */
  | { readonly kind: 'permission-unusable'; readonly permission: number | null; readonly reason: string }
  | { readonly kind: 'secret-missing' }
  /** The role may not use these schemas, so their tables are not served. */
  | { readonly kind: 'schemas-closed'; readonly schemas: readonly string[] }
  /** Tables with row level security: it applies to the role, or the role bypasses it. */
  | { readonly kind: 'row-security'; readonly subject: readonly string[]; readonly bypassed: readonly string[] }
  /** A variable of the environment is nearly a setting. */
  | { readonly kind: 'setting-unknown'; readonly name: string; readonly meant: string }
  /** The process continues without Redis; its attempts to connect again are not reported. */
  | { readonly kind: 'redis-down'; readonly reason: string }
  /** `milliseconds`: how long Redis was unavailable. */
  | { readonly kind: 'redis-up'; readonly milliseconds: number }
  /** Collections whose names GraphQL cannot spell. */
  | {
      readonly kind: 'types-renamed'
      readonly changed: readonly { readonly collection: string; readonly name: string }[]
    }
  /** The database does not answer, or takes no writes. Requests are refused until it is back. */
  | { readonly kind: 'outage-began'; readonly reason: string }
  | { readonly kind: 'outage-ended'; readonly milliseconds: number; readonly refused: number }
  /** More requests than can be served in time; those above the limit are refused. */
  | { readonly kind: 'overload-began'; readonly inFlight: number; readonly wait: number }
  | { readonly kind: 'overload-ended'; readonly milliseconds: number; readonly refused: number }
  /** Writes of other programs are heard from the log of the database; this replica reads it. */
  | { readonly kind: 'outside-began'; readonly slot: string }
  /** They are not heard: EVENTS_OUTSIDE is not set. */
  | { readonly kind: 'outside-off' }
  /** They are not heard: the log of the database cannot be read. */
  | { readonly kind: 'outside-refused'; readonly reason: string; readonly statements: readonly string[] }
  /** The database keeps any amount of log for a reader that is away. */
  | { readonly kind: 'outside-unbounded' }
  /** Writes of other programs to these tables are not heard. */
  | {
      readonly kind: 'outside-unheard'
      readonly tables: readonly { readonly table: string; readonly reason: string; readonly statement: string | null }[]
    }
  /** Changes of other programs were lost; nobody can go on from an earlier position. */
  | { readonly kind: 'outside-lost'; readonly reason: string }
  | { readonly kind: 'outside-failed'; readonly error: unknown }
  /** There is no administrator yet; the holder of the token may create the first one. */
  | { readonly kind: 'setup-open'; readonly token: string; readonly address: string }

export type Observe = (observation: Observation) => void

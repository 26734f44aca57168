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
  | { readonly kind: 'mail-sent'; readonly about: string }
  | { readonly kind: 'mail-failed'; readonly about: string; readonly code: string; readonly isGivenUp: boolean }
  | { readonly kind: 'mail-dropped'; readonly about: string; readonly reason: string }
  | { readonly kind: 'mails-lost'; readonly count: number }
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
  | { readonly kind: 'overload-began'; readonly inFlight: number; readonly limit: number }
  | { readonly kind: 'overload-ended'; readonly milliseconds: number; readonly refused: number }
  /** There is no administrator yet; the holder of the token may create the first one. */
  | { readonly kind: 'setup-open'; readonly token: string; readonly address: string }

export type Observe = (observation: Observation) => void

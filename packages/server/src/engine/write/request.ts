import type { Actor } from '../../access/actor.ts'
import type { GrantCache } from '../../access/grants.ts'
import type { Fits } from '../../access/simplify-rule.ts'
import type { Failpoints } from '../../lib/failpoint.ts'
import type { CostLimits } from '../../query/cost.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import type { Transaction } from '../../sql/driver.ts'
import type { CompileRead } from '../compile-read.ts'
import type { PermissionStore } from '../../store/permission-store.ts'
import type { ChangedRow } from '../../changes/change.ts'
import type { ChangeSink } from '../../changes/sink.ts'
import type { WriteFilters } from './filters.ts'
import type { Guarding, Watch } from './guards.ts'
import type { WriteStatements } from './statements.ts'
import type { Extent } from './transactions.ts'
import type { WriteRequest } from './write-request.ts'

export interface WriteServices {
  readonly statements: WriteStatements
  readonly compileRead: CompileRead
  readonly systemSchema: string
  readonly maxBatch: number
  readonly limitDefault: number
  readonly cost: CostLimits
  readonly fits: Fits
  readonly grants: GrantCache
  readonly failpoints: Failpoints | null
  /** Whether callers get the messages that database triggers and functions raise. */
  readonly showsRaised: boolean
  readonly guarding: Guarding
  readonly filters: WriteFilters
  readonly changeSink: ChangeSink
  /** The permission cache of this process; null if there are no permissions. */
  readonly permissionStore: PermissionStore | null
  /** Called after a write has ended, however it has ended, and before its response. */
  readonly onWritten: (collections: Iterable<Collection>, schema: Schema) => Promise<void>
}

/** One write with the state that its stages share. */
export interface Run {
  /** Whether a statement has returned the versions, and whether a rollback can no longer undo every write. */
  readonly seen: { isCurrent: boolean; isKept: boolean }
  readonly extent: Extent
  readonly request: WriteRequest
  readonly actor: Actor
  readonly schema: Schema
  readonly services: WriteServices
  readonly transaction: Transaction
  readonly watch: Watch
  /** How many writes it takes place inside of; absent: none. */
  readonly depth?: number
}

/** The result of a mutation. */
export interface Done {
  readonly keys: readonly (readonly string[])[]
  readonly changes: readonly ChangedRow[]
  /** See WriteReply.keys. */
  readonly deleted?: readonly string[]
}

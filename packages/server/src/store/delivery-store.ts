import type { Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import type { ReceiverAnswer } from './receiver-state.ts'
import type { RunServiceStatement } from '../sql/service/run-service-statement.ts'

/** A webhook as the service uses it. JSON columns are texts; secrets and headers are sealed. */
export interface StoredWebhook {
  readonly id: string
  readonly url: string
  readonly status: string
  readonly collections: string
  readonly events: string
  readonly fields: string
  readonly filter: string | null
  readonly user: string | null
  readonly headers: string | null
  readonly secret: string
  /** Signs too; null: the last rotation is long ago. */
  readonly previousSecret: string | null
  /** The last change of the log that became deliveries; null: none yet. */
  readonly cursor: Cursor | null
  /** null: the receiver does not fail. */
  readonly failing: Failing | null
}

export interface Failing {
  /** Milliseconds since the receiver fails. */
  readonly since: number
  /** Milliseconds until the next attempt; 0 or less: it may be made. */
  readonly probe: number
}

export interface Cursor {
  readonly epoch: string
  readonly number: number
}

export interface NewDelivery {
  readonly id: string
  readonly type: string
  readonly collection: string
  readonly key: string
  readonly position: string
  readonly number: number
  /** Deliveries with the same are sent one after the other. */
  readonly item: string
  /** The body to send. */
  readonly content: string
}

/** A delivery that only the holder of this lease sends. */
export interface LeasedDelivery {
  readonly id: string
  readonly webhook: string
  readonly fence: number
  readonly tries: number
  /** JSON. */
  readonly attempts: string
  readonly content: string
  readonly item: string
}

/** What came of a delivery. */
export interface DeliveryEnd {
  readonly delivery: LeasedDelivery
  readonly status: 'waiting' | 'delivered' | 'dead'
  readonly attempts: string
  /** Milliseconds until the next attempt; null: there is none. */
  readonly wait: number | null
  readonly receiver: ReceiverAnswer
}

/** Receivers that began to fail, or ended. */
export interface ReceiverChanges {
  readonly failing: readonly string[]
  readonly recovered: readonly { readonly webhook: string; readonly milliseconds: number }[]
}

/** A webhook to take deliveries of. */
export interface Wanted {
  readonly webhook: string
  /** Its receiver fails: one delivery, if it is time for an attempt. */
  readonly isProbe: boolean
}

/** When webhooks have deliveries to send. */
export interface DueTime {
  readonly webhook: string
  readonly isDue: boolean
  /** Milliseconds until more is due; null: nothing will be. */
  readonly wait: number | null
}

export interface DeliveryStore {
  webhooks(): Promise<readonly StoredWebhook[]>
  /**
   * Adds the deliveries of changes and moves the cursor past them, both or none. False: the cursor is no longer where it
   * was.
   */
  add(webhook: StoredWebhook, to: Cursor, deliveries: readonly NewDelivery[]): Promise<boolean>
  /** Lets a webhook without a cursor begin here. */
  begin(webhook: string, at: Cursor): Promise<void>
  /** A disabled webhook forgets what waits, and where it was. */
  drop(webhook: string): Promise<void>
  dueTimes(webhooks: readonly string[]): Promise<readonly DueTime[]>
  /**
   * Leases deliveries that are due, for so many milliseconds; `time`: the milliseconds since 1970 then. After some of them,
   * the rest of the webhooks is left out.
   */
  take(wanted: readonly Wanted[], lease: number): Promise<Taken>
  /** Gives deliveries back that were not sent. */
  release(deliveries: readonly LeasedDelivery[]): Promise<void>
  /** Late answers have no effect: another replica has the delivery. `probe`: the shortest pause of failing receivers. */
  end(ends: readonly DeliveryEnd[], noted: Noted): Promise<ReceiverChanges>
  /** The same, and from now on. */
  disable(webhook: string): Promise<void>
  rotate(webhook: string, secret: string): Promise<void>
  /** Has a delivery sent again; false: there is none. */
  replay(webhook: string, delivery: string): Promise<boolean>
  /** Has all deliveries of an epoch sent again; returns how many. */
  replayAll(
    webhook: string,
    range: { readonly epoch: string; readonly after: number; readonly upTo: number },
  ): Promise<number>
  /** Removes some deliveries that ended long ago; true: there may be more. */
  removeOld(): Promise<boolean>
  /** Ends some deliveries that have been due for so many milliseconds, as dead; true: there may be more. */
  giveUp(webhook: string, age: number): Promise<boolean>
  /**
   * Marks some first deliveries that are not marked as such, as earlier versions leave them, of the items behind one; '' is
   * before all of them.
   */
  markFirsts(webhook: string, after: string): Promise<MarkedFirsts>
}

export interface MarkedFirsts {
  readonly count: number
  /** The item to go on behind; null: there are no more. */
  readonly next: string | null
}

export interface Noted {
  /** Webhooks whose last success is written. */
  readonly succeeded: readonly string[]
  readonly probe: number
}

export interface Taken {
  readonly time: number
  readonly deliveries: readonly LeasedDelivery[]
}

/** What the parts of the store work with. */
export interface DeliveryAccess {
  readonly statements: Database['deliveries']
  readonly ask: RunServiceStatement
  readonly transact: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
}

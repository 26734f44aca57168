import type { Transaction } from '../sql/driver.ts'
import type { LoggedChange, NewChange } from './logged-change.ts'
import type { Position } from './position.ts'

/** The newest place of the log, and the oldest from which one can go on. */
export interface LogHead extends Position {
  /** The changes after this number are kept. */
  readonly oldest: number
}

/** What comes after a number of the log. */
export interface Following {
  readonly head: LogHead
  readonly changes: readonly LoggedChange[]
  /** More changes may follow. */
  readonly isPart: boolean
}

export interface LogQuery {
  /** Changes after this number. */
  readonly after: number
  readonly upTo?: number
  readonly most: number
  readonly collection?: string
}

/** The one log of all changes: sockets, streams, subscriptions and webhooks read nothing else. */
export interface EventLog {
  /** As the database has it now. */
  readonly head: () => Promise<LogHead>
  /** The place behind everything that replicas of the service have committed by now. */
  readonly now: () => Promise<Position>
  /** Changes in the order of their positions. */
  readonly changes: (query: LogQuery) => Promise<readonly LoggedChange[]>
  /** The oldest changes after a number, and the head at the moment when they were read. */
  readonly following: (after: number) => Promise<Following>
  /** Calls back when there may be something new, or a new epoch. Returns what ends that. */
  readonly onNews: (listener: () => void) => () => void
  /** Looks for committed changes now, instead of at the next turn. */
  readonly hurry: () => void
  /**
   * From here on changes of these collections are kept; `*` stands for all of the user. Resolves once no running write can
   * miss that, and returns what ends it.
   */
  readonly capture: (collections: readonly string[]) => Promise<() => void>
  /** The number after which every change of a collection is in the log; null: it is not captured. */
  readonly capturedSince: (collection: string) => Promise<number | null>
  /**
   * Appends changes that were made outside of the service, inside a transaction of the caller, which has the head of the log
   * from here on. `told` has to be called after its commit.
   */
  readonly append: (changes: readonly NewChange[], transaction: Transaction) => Promise<void>
  readonly told: () => void
  /** Resolves once what other programs have committed by now is in the log, or does not come there in time. */
  readonly heard: () => Promise<void>
  /** The same for everything that is committed now. */
  readonly settled: () => Promise<void>
  /** Changes may have been lost: nobody can go on from an earlier position. */
  readonly renewEpoch: (reason: string) => Promise<void>
  readonly start: () => void
  readonly stop: () => Promise<void>
}

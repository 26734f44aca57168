import type { Actor } from '../access/actor.ts'
import type { FixedValue } from '../engine/fixed-values.ts'
import type { Read } from '../engine/read.ts'
import type { View } from '../engine/watch.ts'
import type { Position } from '../events/position.ts'
import type { Hint, Hints } from './hub-hints.ts'
import type { Audience, Told, ToldKind, Wish } from './hub.ts'

/** What became of a key, for all who share a view. */
export interface Outcome {
  readonly hint: Hint
  readonly kind: ToldKind
  /** The row as JSON; null: it is gone. */
  readonly json: string | null
  /** The key in the form of responses. */
  readonly keyJson: string
  /**
   * Whether the caller may read the key in that row, or in a row that is gone as it was. null: the row before is not known,
   * and it depends on the row; who was told the key with the row is told it again.
   */
  readonly isKeyShown: boolean | null
  /** Whether the row was shown before is not known: only those hear of its end who were told of it. */
  readonly isUncertain: boolean
}

/** An event for all members of a group. */
export interface HubEvent {
  readonly told: Extract<Told, { kind: ToldKind }>
  /** The last change of the write it tells of. */
  readonly last: number
  /** When its rows began to be read. */
  readonly readAt: number
  readonly outcomes: readonly Outcome[]
  /** See Outcome. */
  readonly isUncertain: boolean
  /** Some of its keys are told to each subscription as an opaque text of its own. */
  readonly hidesKeys: boolean
}

/** An audience, and its caller as the hub knows it. */
export interface Seat {
  readonly audience: Audience
  /** What the audience said last. */
  source: Actor | null
  /** The same under newer permissions; null: nobody, or somebody whose credentials are no longer valid. */
  actor: Actor | null
  /** See Audience, under newer permissions. */
  viewer: Actor | null
  /** The viewer is no administrator any more, or may not view this caller: its subscriptions end. */
  isRefused: boolean
  readonly members: Set<Member>
}

/** A subscription. */
export interface Member {
  readonly seat: Seat
  readonly wish: Wish
  /** What events show. */
  readonly read: Read
  readonly tell: (told: Told) => void
  view: View | null
  group: Group | null
  /** The item in the spelling of the log; null: all. */
  item: string | null
  /** Changes up to here are not told: the first rows have them. */
  begin: number
  /** What its beginning reads has the changes up to here; null: its beginning has not looked yet. */
  covered: number | null
  /** Until it has looked, the last change that emptied the collection. */
  emptied: number
  /** When the last rows that were read for it alone had been read: rows that others began to read before may be older. */
  readAt: number
  /** Reads again what waits. */
  reread: () => void
  /** Events that wait until it has begun; null: it has. */
  queue: HubEvent[] | null
  /** The place up to which it has heard everything, while it is nobody's; null: it is in its group, or begins. */
  parkedAt: Position | null
  /** The keys of rows it was told, as long as they matter, and whether it could read the key: see Outcome. */
  readonly told: Map<string, boolean>
  /** Makes the texts that stand for keys. */
  readonly secret: Buffer
  toldAt: number
  /** A hash of the last result of a live query. */
  result: string | null
  /** Ends the interest in the changes it is told of. */
  release: () => void
  /** Counts its beginnings: what an earlier one still does is in vain. */
  beginning: number
  isOver: boolean
}

/** Subscriptions that are told the same: they share a view, and one statement reads for all of them. */
export interface Group {
  readonly name: string
  readonly item: string | null
  readonly collection: string
  view: View
  /** A value that every row has which is shown; null: there is none. */
  readonly fixedValue: FixedValue | null
  readonly members: Set<Member>
  /** What has to be looked at. */
  readonly pending: Hints
  /** What is being looked at, until its events are told. */
  taken: readonly Hint[]
  isRunning: boolean
  failures: number
  /** How many keys are asked for at once. */
  most: number
}

import type { Recordset, RevisionRow } from './bulk.ts'
import type { Query, Sql } from './sql.ts'
import type { TypedColumn } from './typed-column.ts'

/** The values of a row by column, as a flat read would return them; undefined: the log of the database has no value. */
export type OutsideCells = Readonly<Record<string, string | null | undefined>>

/** A change of a row as the log of the database has it. */
export interface OutsideChange {
  readonly schema: string
  readonly table: string
  readonly kind: 'create' | 'update' | 'delete' | 'truncate'
  /** The row before; null: there was none, or nothing of it is known. */
  readonly before: OutsideCells | null
  /** Whether that is the whole row, and not its key alone. */
  readonly isBeforeWhole: boolean
  readonly after: OutsideCells | null
}

/** An item that the service itself has told in the same transaction. */
export interface ToldItem {
  readonly collection: string
  readonly item: string
}

/** A committed transaction in the log of the database. */
export interface OutsideTransaction {
  readonly name: string
  /** The place in the log of the database after it. */
  readonly position: string
  /** When it was committed, by the clock of the database server. */
  readonly time: number
  readonly told: readonly ToldItem[]
  /** How many changes there are. */
  readonly count: number
  /** Somebody waits until this place was stored. */
  readonly isBeat: boolean
  /** The log has described tables anew: the schema that the service knows may be older. */
  readonly isReshaped: boolean
  readonly changes: () => Iterable<OutsideChange>
  /** Frees what holds the changes. */
  readonly close: () => void
}

export interface OutsideListener {
  /** Resolves once the next transaction may come. */
  readonly take: (transaction: OutsideTransaction) => Promise<void>
  /** All transactions up to this place were taken. */
  readonly reached: (position: string) => void
  /** Nothing more will come. */
  readonly failed: (error: unknown) => void
}

export interface OutsideReader {
  /** The database need not keep its log up to this place. */
  readonly confirm: (position: string) => void
  readonly close: () => Promise<void>
}

/** A table that is mirrored. */
export interface HeardTable {
  readonly schema: string
  readonly name: string
  readonly key: readonly string[]
}

export interface LogOptions {
  /** The name of the slot and of the publication. */
  readonly slot: string
  readonly systemSchema: string
}

/** Why the log of the database cannot be read, and the statements with which an administrator changes that. */
export interface Obstacle {
  readonly reason: string
  readonly statements: readonly string[]
}

/** The place from which the log is read. `missing`: there is none; `lost`: the database has removed what follows it. */
export interface LogPlace {
  readonly state: 'ready' | 'lost' | 'missing'
  /** What the database need not keep; null: it does not know. */
  readonly confirmed: string | null
  /** How many bytes of the log follow; null: that is not known. */
  readonly behind: number | null
}

/** Tables whose changes are not heard, with the reason. */
export interface Unheard {
  readonly table: string
  readonly reason: string
  /** null: there is no such statement. */
  readonly statement: string | null
}

/** The log that a database keeps of all its changes. */
export interface LogicalSource {
  /** null: the log can be read. */
  readonly obstacle: (options: LogOptions) => Promise<Obstacle | null>
  /** Whether the database may remove parts of its log that were not read, once they are too many. */
  readonly isBounded: () => Promise<boolean>
  /** Has the changes of these tables in the log. `removed`: tables among `known` that were not in it any more. */
  readonly include: (
    tables: readonly HeardTable[],
    known: ReadonlySet<string>,
    options: LogOptions,
  ) => Promise<{ readonly unheard: readonly Unheard[]; readonly heard: ReadonlySet<string>; readonly removed: boolean }>
  /** `position`: the place that was reached. */
  readonly place: (position: string | null, options: LogOptions) => Promise<LogPlace>
  /** Gives up the place, and makes one at the end of the log. Everybody sees what was committed before it. */
  readonly renew: (options: LogOptions) => Promise<string>
  readonly read: (from: string, listener: OutsideListener, options: LogOptions) => Promise<OutsideReader>
  /**
   * Resolves once everybody sees what these transactions have done: the log may have a commit before readers do. Rejects
   * when it is over.
   */
  readonly untilVisible: (names: readonly string[], isOver: () => boolean) => Promise<void>
  /** Puts a beat into the log, so that nothing is kept for want of changes. Returns a place before it, after all commits. */
  readonly beat: (options: LogOptions) => Promise<string>
  /** Whether the error says that the place is of no use any more. */
  readonly isLost: (error: unknown) => boolean
  /** Less than 0: `left` comes first. */
  readonly compare: (left: string, right: string) => number
  /** A cell as the JSON of a payload that the database reads back to the same value. */
  readonly cellJson: (text: string, column: TypedColumn) => string
  /** The rows of a set as revisions store them, in its order. */
  readonly images: (set: Recordset, secrets: readonly string[]) => Sql
  /** The same of the rows that are in the table now, with the position of their key in the set. */
  readonly rowsNow: (table: Sql, key: Recordset, row: RevisionRow, secrets: readonly string[]) => Sql
  /** The statements that remove what the database keeps for the service; none if it keeps nothing. */
  readonly leftovers: (options: LogOptions) => Promise<readonly string[]>
  /** Removes it. */
  readonly remove: (options: LogOptions) => Promise<void>
}

/** A table whose changes triggers tell. */
export interface TriggeredTable {
  readonly collection: string
  readonly schema: string
  readonly name: string
  readonly key: readonly TypedColumn[]
  readonly columns: readonly TypedColumn[]
  /** Names of columns whose values nobody reads. */
  readonly secrets: readonly string[]
}

/**
 * Triggers that put changes into the outbox, in the transaction that makes them. Statements are texts: an administrator
 * runs them, and they have no binds.
 */
export interface TriggerSource {
  /** How many triggers of a table `installed` finds. */
  readonly perTable: number
  /** False: they do not look who listens, so the service switches those off that tell nobody. */
  readonly seeInterest: boolean
  /** Run before the first trigger is made. */
  readonly prepare: (systemSchema: string) => readonly string[]
  /** Replaces the triggers of a table. `fingerprint` can be read in the definition of each of them. */
  readonly create: (table: TriggeredTable, systemSchema: string, fingerprint: string) => readonly string[]
  /** Schema, table, definition and the statement that drops it, of each trigger; the table is null where it is gone. */
  readonly installed: (systemSchema: string) => Query
  /** Run after the last trigger was dropped. */
  readonly clear: (systemSchema: string) => readonly string[]
}

/** How a database lets the service hear of the writes of other programs. */
export interface OutsideSource extends MarkStatements, SwitchStatements {
  /** null: the database has no log that the service can read. */
  readonly logical: LogicalSource | null
  /** null: the database has no triggers that can tell. */
  readonly triggers: TriggerSource | null
}

/** In place of a fingerprint: the trigger does nothing. */
export const SWITCHED_OFF = 'off'

/**
 * A trigger does nothing unless it is switched on, by a row that has its collection and the fingerprint that the service
 * expects. With another fingerprint it tells the key alone: its forms of values may be wrong.
 */
export interface SwitchStatements {
  /** Collection and fingerprint. */
  readonly switches: (systemSchema: string) => Query
  /** Parameters: collection, fingerprint. */
  readonly setSwitch: (systemSchema: string) => Query
  /** Parameter: collection. */
  readonly removeSwitch: (systemSchema: string) => Query
}

/** The place of the log of the database that was reached; it lies with the head of the log of changes. */
export interface MarkStatements {
  readonly mark: (systemSchema: string) => Query
  /** Parameters: the new place, the old one or an empty text. */
  readonly moveMark: (systemSchema: string) => Query
  /** Parameter: the new place. */
  readonly setMark: (systemSchema: string) => Query
}

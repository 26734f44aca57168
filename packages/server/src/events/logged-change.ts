/**
 * What happened to a row. `truncate`: to all rows of a collection at once. `heard`: nothing, but from here on the changes of
 * the collection are kept. Both have no key and no rows.
 */
export type ChangeKind = 'create' | 'update' | 'delete' | 'truncate' | 'heard'

/** A change as the log keeps it. */
export interface LoggedChange {
  /** Its number in the log; numbers follow each other without gaps. */
  readonly position: number
  /** Changes of one transaction have the same, and follow each other. */
  readonly write: string
  readonly collection: string
  /** The key as addresses have it. */
  readonly key: string
  readonly kind: ChangeKind
  /** The whole row as JSON, its values as responses show them, secrets masked; null: there was none, or it is unknown. */
  readonly before: string | null
  readonly after: string | null
  /** The user who made the change; null: nobody who is known. */
  readonly user: string | null
  /** The time of the change, as responses show it. */
  readonly at: string
}

/** A change before it has a place in the log. */
export type NewChange = Omit<LoggedChange, 'position' | 'at'>

/** The name of a transaction of another program. No write of the service has one like it. */
export const outsideWrite = (name: string): string => `o${name}`

export const isOutside = ({ write }: Pick<LoggedChange, 'write'>): boolean => write.startsWith('o')

import type { Bind } from '../../driver.ts'

/** The options that a thread starts with. */
export interface ThreadOptions {
  readonly file: string
  readonly isWriter: boolean
  /** The file is opened for reading alone: neither it nor a file next to it is created. */
  readonly isReadOnly: boolean
  /** False for schema changes, see rebuild.ts. */
  readonly enforcesKeys: boolean
  readonly busyTimeout: number
  readonly preparedStatements: number
}

/** A thread sends this when it has opened the file. */
export const READY = 'ready'

/** An order to a thread. Each order gets one answer, in sequence. */
export type Order =
  | {
      readonly kind: 'run'
      readonly text: string
      readonly values: readonly Bind[]
      readonly mostBytes: number
      /** The statement that begins a transaction, if one has to begin first. */
      readonly begins: string | null
    }
  | { readonly kind: 'open'; readonly text: string; readonly values: readonly Bind[]; readonly mostBytes: number }
  | { readonly kind: 'next' | 'commit' | 'rollback' | 'close' }

export interface Failure {
  readonly code: string | null
  readonly message: string
  /** The byte limit that the rows exceeded. */
  readonly mostBytes?: number
  /** The foreign key that failed, if it is known. */
  readonly foreignKey?: (NamedConstraint & { readonly isReferenced: boolean }) | null
  /** The check that failed, if it has a name. */
  readonly check?: NamedConstraint | null
  /** A view or trigger refers to the missing name, not the statement. */
  readonly isElsewhere?: boolean
}

export interface NamedConstraint {
  readonly table: string
  readonly name: string
}

/** Rows as one list of cells, `width` cells per row. */
export interface Answer {
  readonly width: number
  readonly cells: readonly (string | null)[]
  /** This is the last batch. */
  readonly isLast?: boolean
  readonly failure?: Failure
}

/** Node's watch mode posts messages of its own from every thread; they answer no order. */
export const isAnswer = (message: unknown): message is Answer =>
  typeof message === 'object' && message !== null && 'cells' in message

import type { Bind } from '../../driver.ts'

/** What a thread is started with. */
export interface ThreadOptions {
  readonly file: string
  readonly isWriter: boolean
  /** False for changes of the structure, see rebuild.ts. */
  readonly enforcesKeys: boolean
  readonly busyTimeout: number
  readonly preparedStatements: number
}

/** What a thread says when it has opened the file. */
export const READY = 'ready'

/** What a thread is told to do. Each order gets one answer, in turn. */
export type Order =
  | {
      readonly kind: 'run'
      readonly text: string
      readonly values: readonly Bind[]
      readonly mostBytes: number
      /** How a transaction begins, where one has to be begun before. */
      readonly begins: string | null
    }
  | { readonly kind: 'open'; readonly text: string; readonly values: readonly Bind[]; readonly mostBytes: number }
  | { readonly kind: 'next' | 'commit' | 'rollback' | 'close' }

export interface Failure {
  readonly code: string | null
  readonly message: string
  /** The number of bytes that the rows exceeded. */
  readonly mostBytes?: number
  /** The foreign key that refused, where it could be told. */
  readonly foreignKey?: (NamedConstraint & { readonly isReferenced: boolean }) | null
  /** The check that refused, where it has a name. */
  readonly check?: NamedConstraint | null
  /** A view or trigger asked for it, not the statement. */
  readonly isElsewhere?: boolean
}

export interface NamedConstraint {
  readonly table: string
  readonly name: string
}

/** Rows as one list of cells, `width` of them to a row. */
export interface Answer {
  readonly width: number
  readonly cells: readonly (string | null)[]
  /** No batch follows. */
  readonly isLast?: boolean
  readonly failure?: Failure
}

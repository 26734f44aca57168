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
      /** How a transaction begins, where one has to be begun before. */
      readonly begins: string | null
    }
  | { readonly kind: 'open'; readonly text: string; readonly values: readonly Bind[] }
  | { readonly kind: 'next' | 'commit' | 'rollback' | 'close' }

export interface Failure {
  readonly code: string | null
  readonly message: string
  /** The foreign key that refused, where it could be told. */
  readonly foreignKey?: { readonly table: string; readonly name: string } | null
}

/** Rows as one list of cells, `width` of them to a row. */
export interface Answer {
  readonly width: number
  readonly cells: readonly (string | null)[]
  /** No batch follows. */
  readonly isLast?: boolean
  readonly failure?: Failure
}

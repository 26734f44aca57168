import type { Config } from '../config.ts'
import type { StorageLocation } from '../config/storage.ts'
import type { DatabaseSchema } from '../sql/database-schema.ts'
import type { Database } from '../sql/database.ts'
import type { RunStatement } from '../sql/diagnosis.ts'

export interface Finding {
  /** 'note': nothing is wrong. */
  readonly level: 'note' | 'warning' | 'problem'
  readonly text: string
  /** The exact command, SQL or setting; of a note, how to change it. */
  readonly fix: string
}

/** The values that checks look at. They write nothing. */
export interface Examination {
  readonly config: Config
  /** Why the service would refuse the settings. */
  readonly problems: readonly string[]
  /** null: as many as run now. */
  readonly replicas: number | null
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly node: { readonly version: string; readonly needed: string }
  /** Writes an object to each storage of files and removes it. */
  readonly storages: () => Promise<readonly ProbedStorage[]>
}

export interface DatabaseExamination extends Examination {
  readonly database: Database
  readonly systemSchema: string
  readonly query: RunStatement
  /** The tables that the service would serve, read once. */
  readonly schema: () => Promise<DatabaseSchema>
  /** Tables whose triggers for writes of other programs are missing or outdated; null: there can be none. */
  readonly untold: () => Promise<readonly UntoldTable[] | null>
}

export interface ProbedStorage {
  readonly location: StorageLocation
  /** How the names of its settings begin. */
  readonly prefix: string
  /** The folder or the bucket. */
  readonly place: string
  /** Why it cannot be written; null: it can. */
  readonly reason: string | null
}

export interface UntoldTable {
  readonly table: string
  readonly state: 'missing' | 'outdated'
}

interface Row<Context> {
  readonly what: string
  readonly run: (context: Context) => Promise<readonly Finding[]> | readonly Finding[]
}

/** Checks without a database, and checks that need a connection. */
export type Check =
  | (Row<Examination> & { readonly needs: 'settings' })
  | (Row<DatabaseExamination> & { readonly needs: 'database' })

export const note = (text: string, fix: string): Finding => ({ level: 'note', text, fix })
export const warning = (text: string, fix: string): Finding => ({ level: 'warning', text, fix })
export const problem = (text: string, fix: string): Finding => ({ level: 'problem', text, fix })

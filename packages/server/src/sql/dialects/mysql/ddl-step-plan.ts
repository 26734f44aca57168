import { ServiceError } from '@tain/contract'
import type { DdlStatement, Lock, Preparation, PrintedTable, SchemaChange, TableRef } from '../../ddl.ts'
import type { Capabilities } from './capabilities.ts'
import { quotedTable } from './names.ts'
import { createDrafts, type Drafts } from './table-draft.ts'

export type Of<K extends SchemaChange['kind']> = Extract<SchemaChange, { kind: K }>

/** The steps planned so far. */
export interface StepPlan {
  readonly can: Capabilities
  readonly drafts: Drafts
  readonly preparations: Preparation[]
  /** Checks after all preparations. */
  readonly guards: DdlStatement[]
  readonly afterwards: DdlStatement[]
  /** Tables and columns that must not contain data when they are dropped. */
  readonly emptied: ReadonlySet<string>
  /** First columns of foreign keys over several columns. */
  readonly led: ReadonlySet<string>
  /** Columns that get a foreign key. */
  readonly keyed: ReadonlySet<string>
}

export function createStepPlan(changes: readonly SchemaChange[], printed: PrintedTable, can: Capabilities): StepPlan {
  const emptied = changes.flatMap((change) =>
    change.kind === 'check-empty' ? [`${quotedTable(change.table)} ${change.column}`] : [],
  )
  const led = changes.flatMap((change) =>
    change.kind === 'add-foreign-key' && (change.rest ?? []).length > 0
      ? [`${quotedTable(change.table)} ${change.column}`]
      : [],
  )
  const keyed = changes.flatMap((change) =>
    change.kind === 'add-foreign-key' ? [`${quotedTable(change.table)} ${change.column}`] : [],
  )
  return {
    can,
    drafts: createDrafts(printed),
    preparations: [],
    guards: [],
    afterwards: [],
    emptied: new Set(emptied),
    led: new Set(led),
    keyed: new Set(keyed),
  }
}

export interface Cost {
  readonly lock?: Lock
  readonly rewrites?: boolean
  readonly scans?: boolean
}

export const stepOf = (table: TableRef, text: string, { lock, rewrites, scans }: Cost = {}): DdlStatement => ({
  statement: { text, values: [] },
  table,
  lock: lock ?? 'ACCESS EXCLUSIVE',
  rewrites: rewrites ?? false,
  scans: (scans ?? false) || (rewrites ?? false),
})

/** Rows written in the meantime may violate a restored constraint. The table then stays without it. */
export const ifItFits = (text: string) =>
  `begin not atomic declare continue handler for 1048, 1138, 1265, 1264, 1406, 1062, 1452, 4025 begin end; ${text}; end`

/** Fails like a database that enforces such a rule itself. */
export const refuse = (condition: string, code: 4025 | 1553, message: string) =>
  `begin not atomic if exists (${condition}) then signal sqlstate '45000' set mysql_errno = ${code}, message_text = '${message}'; end if; end`

export const unsupported = (message: string) => new ServiceError('UNPROCESSABLE_CONTENT', message)
export const exists = (name: string) =>
  new ServiceError('INVALID_PAYLOAD', `Invalid payload. The database has something named "${name}" already.`)

/** Adds a preparation with the statement that undoes it; null: an earlier one undoes it too. */
export function push(plan: StepPlan, table: TableRef, text: string, undo: string | null, cost?: Cost): void {
  plan.preparations.push({
    ...stepOf(table, text, cost),
    isOutside: false,
    makes: undo === null ? null : { kind: 'statement', table, name: undo },
  })
}

export const alter = (plan: StepPlan, table: TableRef, action: string, undo: string, cost?: Cost): void =>
  push(plan, table, `alter table ${quotedTable(table)} ${action}`, undo, cost)

export const back = (table: TableRef, action: string): string => `alter table if exists ${quotedTable(table)} ${action}`

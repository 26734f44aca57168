import type { ColumnForm, TableRef } from '../../ddl.ts'
import { modify } from './ddl-column-steps.ts'
import { addForeignKey, dropNamed } from './ddl-key-steps.ts'
import type { Of, StepPlan } from './ddl-step-plan.ts'
import { typeText } from './ddl-types.ts'
import { literal, quotedTable } from './names.ts'
import { UUID_COLLATION, UUID_TEXT } from './native-types.ts'
import { MARK } from './service-tables.ts'

const UUIDS: ColumnForm = { type: 'uuid', maxLength: null, precision: null, scale: null }

const isUuidType = (type: string): boolean =>
  /^uuid\b/iu.test(type) || (type.startsWith(UUID_TEXT) && type.includes(UUID_COLLATION))

/**
 * The service's own tables store UUIDs as texts, on every server alike. The database compares a foreign key only with a
 * column of the same type and collation, so a column of UUIDs that refers to them is stored as they are.
 */
export function addKey(plan: StepPlan, change: Of<'add-foreign-key'>): void {
  const { table, column, to, toColumn } = change
  if (isUuidType(plan.drafts.of(table).column(column).type) && isOwnUuid(plan, to, toColumn))
    modify(plan, table, column, { type: ownType(plan) }, { rewrites: true })
  addForeignKey(plan, change)
}

function isOwnUuid({ drafts }: StepPlan, to: TableRef, toColumn: string): boolean {
  if (!drafts.has(to)) return false
  const own = drafts.of(to)
  return own.comment === literal(MARK) && own.column(toColumn).type.startsWith(UUID_TEXT)
}

const ownType = ({ can }: StepPlan): string => {
  const [charset = ''] = can.exactCollation.split('_', 1)
  return `${UUID_TEXT} CHARACTER SET ${charset} COLLATE ${can.exactCollation}`
}

/** A column of UUIDs takes back its own type, unless the same change makes another key. */
export function dropConstraint(plan: StepPlan, change: Of<'drop-constraint'>): void {
  const { table, name } = change
  const { constraints } = plan.drafts.of(table)
  const key = constraints.find((entry) => entry.name === name && entry.kind === 'foreign-key')
  dropNamed(plan, change)
  if (key === undefined || !/ REFERENCES (?:`[^`]+`\.)?`service_\w+`/u.test(key.text)) return
  for (const column of key.mentions)
    if (!plan.keyed.has(`${quotedTable(table)} ${column}`) && isStoredAsOwn(plan, table, column))
      modify(plan, table, column, { type: typeText(UUIDS, plan.can) }, { rewrites: true })
}

function isStoredAsOwn(plan: StepPlan, table: TableRef, column: string): boolean {
  const draft = plan.drafts.of(table)
  const isInKey = draft.constraints.some(({ kind, mentions }) => kind === 'foreign-key' && mentions.includes(column))
  return !isInKey && draft.column(column).type.startsWith(UUID_TEXT)
}

import type { TableRef } from '../../ddl.ts'
import { definitionOf } from './ddl-column-text.ts'
import { dropCheck, dropForeignKey, dropIndex } from './ddl-key-steps.ts'
import {
  alter,
  back,
  exists,
  ifItFits,
  refuse,
  stepOf,
  unsupported,
  type Cost,
  type Of,
  type StepPlan,
} from './ddl-step-plan.ts'
import { literal, putAway, quoted, quotedTable } from './names.ts'
import { printColumn, type ColumnText } from './table-text.ts'
import { TRIGGER } from './triggers.ts'

export function addColumn(plan: StepPlan, { table, column }: Of<'add-column'>): void {
  if (column.isCounter) throw unsupported('The database makes a field that counts up only with its table.')
  const draft = plan.drafts.of(table)
  if (draft.columns.has(column.name)) throw exists(column.name)
  const definition = definitionOf(column, plan.can)
  alter(
    plan,
    table,
    `add column ${quoted(column.name)} ${printColumn(definition)}`,
    back(table, `drop column if exists ${quoted(column.name)}`),
    { rewrites: column.default?.kind === 'uuid' },
  )
  draft.columns.set(column.name, definition)
}

export function dropColumn(plan: StepPlan, { table, column }: Of<'drop-column'>): void {
  const draft = plan.drafts.of(table)
  const before = draft.column(column)
  for (const constraint of draft.constraints.filter(({ mentions }) => mentions.includes(column)))
    (constraint.kind === 'check' ? dropCheck : dropForeignKey)(plan, table, draft, constraint)
  for (const index of draft.indexes.filter(({ columns }) => columns.includes(column))) {
    if (index.name === 'PRIMARY') throw unsupported(`"${column}" is part of the primary key.`)
    // The server drops an index over this column alone. Of any other index it would keep the remaining columns.
    if (index.columns.length > 1) dropIndex(plan, table, draft, index)
  }
  const away = putAway(`${quotedTable(table)}.${quoted(column)}`)
  const kept = before.generated === '' ? `${before.type} null` : printColumn({ ...before, check: '' })
  alter(
    plan,
    table,
    `change column ${quoted(column)} ${quoted(away)} ${kept}`,
    ifItFits(back(table, `change column if exists ${quoted(away)} ${quoted(column)} ${printColumn(before)}`)),
    { rewrites: !before.isNullable },
  )
  draft.columns.delete(column)
  const users = `select 1 from information_schema.key_column_usage k where k.referenced_table_schema = ${literal(table.schema)}
      and k.referenced_table_name = ${literal(table.table)} and k.referenced_column_name = ${literal(away)}
    union all select 1 from information_schema.triggers t where t.event_object_schema = ${literal(table.schema)}
      and t.event_object_table = ${literal(table.table)} and left(t.trigger_name, ${TRIGGER.length}) = ${literal(TRIGGER)}
      and instr(t.action_statement, ${literal(quoted(column))}) > 0`
  // The server lets triggers name a column that is gone, and then refuses every write.
  plan.guards.push(stepOf(table, refuse(users, 1553, 'other tables or triggers refer to it')))
  if (plan.emptied.has(`${quotedTable(table)} ${column}`))
    plan.guards.push(
      stepOf(
        table,
        refuse(`select 1 from ${quotedTable(table)} where ${quoted(away)} is not null`, 4025, 'it has values'),
        { scans: true },
      ),
    )
  plan.afterwards.push(stepOf(table, back(table, `drop column if exists ${quoted(away)}`)))
}

export function modify(
  plan: StepPlan,
  table: TableRef,
  column: string,
  change: Partial<ColumnText>,
  cost?: Cost,
): void {
  const draft = plan.drafts.of(table)
  const before = draft.column(column)
  const after = { ...before, ...change }
  alter(
    plan,
    table,
    `modify column ${quoted(column)} ${printColumn(after)}`,
    ifItFits(back(table, `modify column if exists ${quoted(column)} ${printColumn(before)}`)),
    cost,
  )
  draft.columns.set(column, after)
}

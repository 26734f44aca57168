import type { TableRef } from '../../ddl.ts'
import { definitionOf } from './ddl-column-text.ts'
import { alter, back, exists, push, refuse, stepOf, unsupported, type Of, type StepPlan } from './ddl-step-plan.ts'
import { literal, putAway, quoted, quotedTable } from './names.ts'
import { printColumn } from './table-text.ts'

export function createTable(plan: StepPlan, { table, columns, key }: Of<'create-table'>): void {
  if (plan.drafts.has(table)) throw exists(table.table)
  const lines = columns.map((column) => `${quoted(column.name)} ${printColumn(definitionOf(column, plan.can))}`)
  if (columns.some(({ name, isCounter }) => isCounter && name !== key[0]))
    throw unsupported('The database makes only the first field of a key count up.')
  const keys = key.length === 0 ? [] : [`primary key (${key.map(quoted).join(', ')})`]
  push(
    plan,
    table,
    `create table ${quotedTable(table)} (${[...lines, ...keys].join(', ')}) engine = InnoDB`,
    `drop table if exists ${quotedTable(table)}`,
  )
  plan.drafts.create(
    table,
    columns.map((column) => [column.name, definitionOf(column, plan.can)]),
  )
}

export function dropTable(plan: StepPlan, table: TableRef): void {
  const away = { ...table, table: putAway(quotedTable(table)) }
  push(
    plan,
    table,
    `rename table ${quotedTable(table)} to ${quotedTable(away)}`,
    `rename table if exists ${quotedTable(away)} to ${quotedTable(table)}`,
  )
  plan.drafts.drop(table)
  const users = `select 1 from information_schema.key_column_usage k where k.referenced_table_schema = ${literal(away.schema)}
      and k.referenced_table_name = ${literal(away.table)} and k.table_name not like 'service\\\\_gone\\\\_%'`
  plan.guards.push(stepOf(table, refuse(users, 1553, 'other tables refer to it')))
  if (plan.emptied.has(`${quotedTable(table)} null`))
    plan.guards.push(stepOf(table, refuse(`select 1 from ${quotedTable(away)}`, 4025, 'it has rows'), { scans: true }))
  // Dropped tables may refer to each other.
  plan.afterwards.push(
    stepOf(table, `set statement foreign_key_checks = 0 for drop table if exists ${quotedTable(away)}`),
  )
}

export function commentTable(plan: StepPlan, { table, comment: text }: Of<'comment-table'>): void {
  const draft = plan.drafts.of(table)
  const comment = literal(text ?? '')
  alter(plan, table, `comment = ${comment}`, back(table, `comment = ${draft.comment}`))
  draft.comment = comment
}

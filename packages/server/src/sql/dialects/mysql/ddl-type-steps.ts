import type { TableRef } from '../../ddl.ts'
import { modify } from './ddl-column-steps.ts'
import { alter, back, push, stepOf, type Of, type StepPlan } from './ddl-step-plan.ts'
import { checkOf, conversion, defaultText, typeText } from './ddl-types.ts'
import { literal, putAway, quoted, quotedTable } from './names.ts'
import type { Draft } from './table-draft.ts'
import { printColumn, type ColumnText } from './table-text.ts'

export function setType(plan: StepPlan, change: Of<'set-type'>): void {
  const { table, column, from, to, default: value } = change
  const before = plan.drafts.of(table).column(column)
  const text = value === 'kept' ? before.default : value === null ? null : defaultText(value, to)
  const after: ColumnText = { ...before, type: typeText(to, plan.can), default: text, check: checkOf(column, to) }
  const how = conversion(from, to, plan.can)
  if (how.isLossless) modify(plan, table, column, after, { rewrites: true })
  else convert(plan, { table, column, before, after }, how)
}

interface Converted {
  readonly table: TableRef
  readonly column: string
  readonly before: ColumnText
  readonly after: ColumnText
}

/** Converts values with a loss. The old values stay in a second column until the change is certain. */
function convert(plan: StepPlan, converted: Converted, how: ReturnType<typeof conversion>): void {
  const { table, column, before, after } = converted
  const draft = plan.drafts.of(table)
  const name = quoted(column)
  const kept = putAway(`${quotedTable(table)}.${name} before`)
  alter(
    plan,
    table,
    `add column ${quoted(kept)} ${before.type} generated always as (${name}) stored invisible`,
    back(table, `drop column if exists ${quoted(kept)}`),
    { rewrites: true },
  )
  const still = unchangedByUpdate(draft)
  const between = how.via === null ? null : `${how.via} ${isInKey(draft, column) ? 'not null' : 'null'}`
  const undo = undoOf(converted, draft, kept, between)
  const rest = `modify column ${name} ${printColumn(after)}`
  const free = `modify column ${quoted(kept)} ${before.type} null invisible`
  const update = (expression: string) => {
    const text = `update ${quotedTable(table)} set ${name} = ${expression}${still} where ${name} is not null`
    push(plan, table, text, null, { scans: true })
  }
  if (how.before === null && how.via === null) alter(plan, table, `${free}, ${rest}`, undo, { rewrites: true })
  else {
    const first = `${free}${between === null ? '' : `, modify column ${name} ${between}`}`
    alter(plan, table, first, undo, { rewrites: true })
    if (how.before !== null) update(how.before)
    push(plan, table, `alter table ${quotedTable(table)} ${rest}`, null, { rewrites: true })
  }
  if (how.after !== null) update(how.after)
  draft.columns.set(column, after)
  plan.afterwards.push(stepOf(table, back(table, `drop column if exists ${quoted(kept)}`)))
}

/** Columns with ON UPDATE keep their values. */
const unchangedByUpdate = ({ columns }: Draft): string =>
  [...columns]
    .filter(([, { behind }]) => behind.includes('ON UPDATE'))
    .map(([other]) => `, ${quoted(other)} = ${quoted(other)}`)
    .join('')

const isInKey = ({ indexes }: Draft, column: string): boolean =>
  indexes.some((index) => index.name === 'PRIMARY' && index.columns.includes(column))

/** Takes the old values back from the column that keeps them, if it is there. */
function undoOf({ table, column, before }: Converted, draft: Draft, kept: string, between: string | null): string {
  const name = quoted(column)
  const isKept = `select 1 from information_schema.columns c where c.table_schema = ${literal(table.schema)}
      and c.table_name = ${literal(table.table)} and c.column_name = ${literal(kept)}`
  const isNullable = !isInKey(draft, column)
  const backwards = between === null ? '' : `${back(table, `modify column if exists ${name} ${between}`)};`
  return `begin not atomic if exists (${isKept}) then
        ${backwards}${back(table, `modify column if exists ${name} ${printColumn({ ...before, isNullable })}`)};
        update ${quotedTable(table)} set ${name} = ${quoted(kept)}${unchangedByUpdate(draft)} where ${quoted(kept)} is not null;
        ${back(table, `modify column if exists ${name} ${printColumn(before)}`)};
      end if; end`
}

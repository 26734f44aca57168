import type { ReferentialAction } from '../../database-schema.ts'
import type { TableRef } from '../../ddl.ts'
import { alter, back, exists, ifItFits, unsupported, type Of, type StepPlan } from './ddl-step-plan.ts'
import { quoted, quotedTable } from './names.ts'
import type { Draft } from './table-draft.ts'
import type { ConstraintText, IndexText } from './table-text.ts'

/** Long texts are indexed by a prefix of this length. */
const INDEXED_LENGTH = 255
const isUnlimited = (type: string) => /^(?:tiny|medium|long)?(?:text|blob)\b|^json\b/iu.test(type)

const actions: Readonly<Record<ReferentialAction, string>> = {
  'NO ACTION': 'no action',
  RESTRICT: 'restrict',
  CASCADE: 'cascade',
  'SET NULL': 'set null',
  'SET DEFAULT': 'set default',
}

export function addIndex(plan: StepPlan, { kind, table, column, name }: Of<'add-index' | 'add-unique'>): void {
  const draft = plan.drafts.of(table)
  if (draft.indexes.some((index) => index.name === name)) throw exists(name)
  // A foreign key over several columns creates an index that begins with its first column.
  if (kind === 'add-index' && plan.led.has(`${quotedTable(table)} ${column}`)) return
  const isPartial = kind === 'add-index' && isUnlimited(draft.column(column).type)
  const rest = `(${quoted(column)}${isPartial ? `(${INDEXED_LENGTH})` : ''})`
  const what = kind === 'add-unique' ? 'UNIQUE KEY' : 'KEY'
  alter(
    plan,
    table,
    `add ${what.toLowerCase()} ${quoted(name)} ${rest}`,
    back(table, `drop index if exists ${quoted(name)}`),
    { lock: 'SHARE UPDATE EXCLUSIVE', scans: true },
  )
  draft.indexes.push({ name, kind: what, columns: [column], rest })
}

export function addForeignKey(plan: StepPlan, change: Of<'add-foreign-key'>): void {
  const { table, name, to, onDelete, onUpdate } = change
  const pairs = [[change.column, change.toColumn] as const, ...(change.rest ?? [])]
  if (onDelete === 'SET DEFAULT' || onUpdate === 'SET DEFAULT')
    throw unsupported('The database knows no foreign keys that set a default.')
  const draft = plan.drafts.of(table)
  const from = pairs.map(([column]) => quoted(column)).join(', ')
  const into = pairs.map(([, column]) => quoted(column)).join(', ')
  const text = `(${from}) REFERENCES ${quotedTable(to)} (${into}) on delete ${actions[onDelete]} on update ${actions[onUpdate]}`
  const columns = pairs.map(([column]) => column)
  const hasIndex = draft.indexes.some((index) => columns.every((column, place) => index.columns[place] === column))
  alter(
    plan,
    table,
    `add constraint ${quoted(name)} foreign key ${text}`,
    back(
      table,
      `drop foreign key if exists ${quoted(name)}${hasIndex ? '' : `, drop index if exists ${quoted(name)}`}`,
    ),
    { lock: 'SHARE ROW EXCLUSIVE', scans: true },
  )
  draft.constraints.push({ name, kind: 'foreign-key', mentions: columns, text: `FOREIGN KEY ${text}` })
  if (!hasIndex) draft.indexes.push({ name, kind: 'KEY', columns, rest: `(${from})` })
}

export function dropNamed(plan: StepPlan, { table, name }: Of<'drop-index' | 'drop-constraint'>): void {
  const draft = plan.drafts.of(table)
  const constraint = draft.constraints.find((entry) => entry.name === name)
  const index = draft.indexes.find((entry) => entry.name === name)
  if (constraint?.kind === 'foreign-key') dropForeignKey(plan, table, draft, constraint)
  else if (constraint !== undefined) dropCheck(plan, table, draft, constraint)
  else if (index !== undefined) dropIndex(plan, table, draft, index)
  else throw unsupported('Something that the change needs is not in the database.')
}

export function dropForeignKey(plan: StepPlan, table: TableRef, draft: Draft, { name, text }: ConstraintText): void {
  draft.remove(name)
  const index = draft.indexes.find((entry) => entry.name === name)
  const isNeeded = draft.constraints.some(
    ({ kind, mentions }) => kind === 'foreign-key' && mentions[0] === index?.columns[0],
  )
  // The server created the index with the foreign key, and does not drop it with the key.
  const goes = index !== undefined && !isNeeded
  alter(
    plan,
    table,
    `drop foreign key ${quoted(name)}${goes ? `, drop index ${quoted(name)}` : ''}`,
    ifItFits(
      back(
        table,
        `add constraint ${quoted(name)} ${text.replace(/^FOREIGN KEY/u, `foreign key if not exists ${quoted(name)}`)}`,
      ),
    ),
  )
  if (goes) draft.removeIndex(name)
}

export function dropCheck(plan: StepPlan, table: TableRef, draft: Draft, { name, text }: ConstraintText): void {
  alter(
    plan,
    table,
    `drop constraint ${quoted(name)}`,
    ifItFits(back(table, `add constraint if not exists ${quoted(name)} ${text}`)),
  )
  draft.remove(name)
}

export function dropIndex(plan: StepPlan, table: TableRef, draft: Draft, { name, kind, rest }: IndexText): void {
  alter(
    plan,
    table,
    `drop index ${quoted(name)}`,
    ifItFits(back(table, `add ${kind.toLowerCase()} if not exists ${quoted(name)} ${rest}`)),
  )
  draft.removeIndex(name)
}

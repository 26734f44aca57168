import { forbidden } from '@tain/contract'
import { authorizeCreate, rulesFor } from '../../access/authorize-write.ts'
import type { Access, Rule } from '../../access/grants.ts'
import type { Action } from '../../access/permissions.ts'
import { variablesOf } from '../../access/simplify-rule.ts'
import type { Reference, WriteNode, WriteValue } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { Transaction } from '../../sql/driver.ts'
import { column, list, sql } from '../../sql/sql.ts'
import { isTrue } from '../run-service-statement.ts'
import { tableOf, typed } from '../columns.ts'
import { startPlan } from '../plan-filter.ts'
import { compositeKeys } from './composite-keys.ts'
import { recordset, statementKey, type WriteStatements } from './statements.ts'
import { encodedKey, type State } from './tree-state.ts'

/** What deciding on rows needs. */
export interface RuleCheck {
  readonly access: Access
  readonly statements: WriteStatements
  readonly transaction: Transaction
}

/**
 * Which rules hold for which rows, in a statement of its own: the rows are locked by now, and a new statement sees what
 * whoever held them before has done to other tables. Rows that are not there have no entry.
 */
export async function holding(
  action: Action,
  rules: readonly Rule[],
  collection: Collection,
  columns: readonly ColumnField[],
  cells: readonly (readonly string[])[],
  { access, statements, transaction }: RuleCheck,
): Promise<ReadonlyMap<number, ReadonlySet<Rule>>> {
  const { dialect } = statements
  const { actor, schema } = access
  const rows = await statements.run(
    `check ${schema.generation} ${actor.grantKey} ${action} ${statementKey(collection, columns)}`,
    () => {
      const plan = startPlan(dialect)
      const held = rules.map(({ rows: rule }) => (rule === null ? sql`true` : plan.condition(rule, 't')))
      const stored = columns.map(typed)
      const set = dialect.bulk.rowsOf({ columns: stored, parameter: 0 }, 'x')
      const on = dialect.bulk.matches('t', stored, 'x')
      return sql`select ${list([column('x', 'n'), ...held])} from ${set} join ${tableOf(collection)} as t on ${on}`
    },
    [recordset(cells)],
    transaction,
    variablesOf(actor, new Date()),
  )
  return new Map(rows.map((row) => [Number(row[0]) - 1, new Set(rules.filter((_, index) => isTrue(row[index + 1])))]))
}

const permits = (rules: Iterable<Rule>, name: string) =>
  [...rules].some(({ fields }) => fields === 'all' || fields.has(name))

/** Every field that is written has to be granted by a rule that holds for the very row. */
const isOpen = (sent: ReadonlySet<string>, rules: ReadonlySet<Rule> | undefined): boolean =>
  rules !== undefined && rules.size > 0 && [...sent].every((name) => permits(rules, name))

/** Rows named by columns have to be open to the action; with `sent`, each with the fields that are written. */
export async function checkRows(
  action: Action,
  collection: Collection,
  columns: readonly ColumnField[],
  rows: readonly { readonly cells: readonly string[]; readonly sent?: ReadonlySet<string> }[],
  run: RuleCheck,
): Promise<void> {
  if (rows.length === 0) return
  const grant = rulesFor(action, collection, run.access)
  if (grant === null) return
  const always = new Set(grant.rules.filter((rule) => rule.rows === null))
  if (always.size > 0 && rows.every(({ sent = noFields }) => [...sent].every((name) => permits(always, name)))) return
  const cells = rows.map((row) => row.cells)
  const found = await holding(action, grant.rules, collection, columns, cells, run)
  for (const [index, { sent = noFields }] of rows.entries()) if (!isOpen(sent, found.get(index))) throw forbidden()
}

/** Which of the rows are open to the action, by their positions. */
export async function openRows(
  action: Action,
  collection: Collection,
  columns: readonly ColumnField[],
  cells: readonly (readonly string[])[],
  sent: ReadonlySet<string>,
  run: RuleCheck,
): Promise<ReadonlySet<number>> {
  if (!run.access.actor.may(action, collection)) return new Set()
  const { rules } = rulesFor(action, collection, run.access) ?? { rules: [] }
  const found = await holding(action, rules, collection, columns, cells, run)
  return new Set([...cells.keys()].filter((index) => isOpen(sent, found.get(index))))
}

const noFields: ReadonlySet<string> = new Set()

interface Wanted {
  readonly action: Action
  readonly nodes: { readonly node: WriteNode; readonly sent: ReadonlySet<string> }[]
}

/** Rows that exist and that a payload changes or links: they are locked, now the caller's rules are asked. */
export async function checkExisting(state: State): Promise<void> {
  if (state.access.actor.isAdmin) return
  const groups = new Map<Collection, Map<Action, Wanted>>()
  const add = (action: Action, node: WriteNode, sent: ReadonlySet<string>) => {
    const byAction = groups.get(node.collection) ?? new Map<Action, Wanted>()
    groups.set(node.collection, byAction)
    const wanted = byAction.get(action) ?? { action, nodes: [] }
    byAction.set(action, wanted)
    wanted.nodes.push({ node, sent })
  }
  for (const node of state.tree.nodes) {
    if (node.key === null) continue
    if (node.action === 'link' || stays(node, state)) add('read', node, noFields)
    else if (node.action === 'save' && !state.found.has(node)) authorizeCreate(node, state.access.actor)
    else add('update', node, node.sent)
  }
  for (const [collection, byAction] of groups) {
    for (const { action, nodes } of byAction.values())
      await checkRows(
        action,
        collection,
        collection.key,
        nodes.map(({ node, sent }) => ({ cells: encodedKey(node.key ?? [], collection, state), sent })),
        state,
      )
  }
  await checkReferences(state)
}

/** A row that is there and only named, with the parent that it has already if it stands in a list, is not changed. */
export function stays(node: WriteNode, { known, found }: State): boolean {
  const { collection, path, values, sent } = node
  const current = found.get(node)
  if (current === undefined || path.length === 0) return false
  const isSame = ([name, value]: readonly [string, WriteValue]) =>
    value.kind === 'given'
      ? collection.key.some((field) => field.name === name)
      : value.node.path.length < path.length &&
        current.has(name) &&
        current.get(name) === known.get(value.node)?.get(value.column)
  return [...values].every(isSame) && [...sent].every((name) => values.has(name))
}

/** A key of several columns leads to where the row's own columns complete what was sent of it. */
const completedKeys = (state: State): Reference[] =>
  state.tree.nodes.flatMap((node) =>
    compositeKeys(node, state.context).flatMap(({ relation, target }) => {
      if (!relation.columns.some((name) => isWritten(node, name, state))) return []
      const cells = relation.columns.map((name) => cellOf(node, name, state))
      return cells.includes('null') ? [] : [{ from: null, collection: target, columns: relation.toColumns, cells }]
    }),
  )

/** The key by which a row was found says nothing new of it. */
const isWritten = (node: WriteNode, name: string, { found }: State) =>
  node.values.get(name)?.kind === 'given' &&
  !(found.has(node) && node.collection.key.some((field) => field.name === name))

function cellOf(node: WriteNode, name: string, { known, found }: State): string {
  const value = node.values.get(name)
  if (value?.kind === 'given') return value.json
  const text = value === undefined ? found.get(node)?.get(name) : known.get(value.node)?.get(value.column)
  return JSON.stringify(text ?? null)
}

async function checkReferences(state: State): Promise<void> {
  const groups = new Map<string, typeof state.tree.references>()
  for (const reference of [...state.tree.references, ...completedKeys(state)]) {
    if (reference.from !== null && state.found.has(reference.from)) continue
    const name = JSON.stringify([reference.collection.name, reference.columns])
    groups.set(name, [...(groups.get(name) ?? []), reference])
  }
  for (const references of groups.values()) {
    const [first] = references
    if (first === undefined) continue
    const columns = first.columns.flatMap((name) => first.collection.columns.get(name) ?? [])
    await checkRows('read', first.collection, columns, references, state)
  }
}

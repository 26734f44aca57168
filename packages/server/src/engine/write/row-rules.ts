import { forbidden } from '@tain/contract'
import { authorizeCreate, rulesFor } from '../../access/authorize-write.ts'
import { authorize, type Authorized } from '../../access/authorized.ts'
import type { Access, Rule } from '../../access/grants.ts'
import type { Action } from '../../access/permissions.ts'
import { variablesOf } from '../../access/simplify-rule.ts'
import type { Reference, WriteNode, WriteValue } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { Transaction } from '../../sql/driver.ts'
import { column, list, sql } from '../../sql/sql.ts'
import { isTrue } from '../../sql/service/run-service-statement.ts'
import { typed } from '../../schema/typed-column.ts'
import { tableOf } from '../columns.ts'
import { startPlan } from '../plan-filter.ts'
import { compositeKeys } from './composite-keys.ts'
import { recordset, statementKey, type WriteStatements } from './statements.ts'
import { encodedKey, type State } from './tree-state.ts'

/** Dependencies of the rule checks on rows. */
export interface RuleCheck {
  readonly access: Access
  readonly statements: WriteStatements
  readonly transaction: Transaction
}

/**
 * The rules that hold for each row. The rows are already locked, and a separate statement also sees what previous lock
 * holders have changed in other tables. Missing rows have no entry.
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

/** For every written field there has to be a rule that grants the field and holds for this row. */
const isOpen = (sent: ReadonlySet<string>, rules: ReadonlySet<Rule> | undefined): boolean =>
  rules !== undefined && rules.size > 0 && [...sent].every((name) => permits(rules, name))

/** Keys of rows that the caller's rules allow. */
export type AuthorizedRows = Authorized<readonly (readonly string[])[]>

/** Throws unless the rules allow the action on every row and on the fields in its `sent`. */
export async function checkRows(
  action: Action,
  collection: Collection,
  columns: readonly ColumnField[],
  rows: readonly { readonly cells: readonly string[]; readonly sent?: ReadonlySet<string> }[],
  run: RuleCheck,
): Promise<AuthorizedRows> {
  const cells = rows.map((row) => row.cells)
  if (rows.length === 0) return authorize(cells)
  const grant = rulesFor(action, collection, run.access)
  if (grant === null) return authorize(cells)
  const always = new Set(grant.rules.filter((rule) => rule.rows === null))
  if (always.size > 0 && rows.every(({ sent = noFields }) => [...sent].every((name) => permits(always, name))))
    return authorize(cells)
  const found = await holding(action, grant.rules, collection, columns, cells, run)
  for (const [index, { sent = noFields }] of rows.entries()) if (!isOpen(sent, found.get(index))) throw forbidden()
  return authorize(cells)
}

/** Positions of the rows on which the rules allow the action. */
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

/** Checks the caller's rules for existing rows that a payload changes or links. The rows are already locked. */
export async function authorizeExisting(state: State): Promise<Authorized<State>> {
  if (state.access.actor.isAdmin) return authorize(state)
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
    const need = needOf(node, state)
    if (need.kind === 'rules') add(need.action, node, need.sent)
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
  return authorize(state)
}

/** The action that the caller's rules have to allow on an existing row, or the authorized node of a new row. */
type Need =
  | { readonly kind: 'rules'; readonly action: Action; readonly sent: ReadonlySet<string> }
  | { readonly kind: 'new'; readonly node: Authorized<WriteNode> }

function needOf(node: WriteNode, state: State): Need {
  if (node.action === 'link' || stays(node, state)) return { kind: 'rules', action: 'read', sent: noFields }
  if (node.action !== 'save' || state.found.has(node)) return { kind: 'rules', action: 'update', sent: node.sent }
  return { kind: 'new', node: authorizeCreate(node, state.access.actor) }
}

/** Whether an existing row stays unchanged: it is only named, and in a list it already has this parent. */
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

/** References by composite keys that were sent in part; columns of the row complete them. */
const completedKeys = (state: State): Reference[] =>
  state.tree.nodes.flatMap((node) =>
    compositeKeys(node, state.context).flatMap(({ relation, target }) => {
      if (!relation.columns.some((name) => isWritten(node, name, state))) return []
      const cells = relation.columns.map((name) => cellOf(node, name, state))
      return cells.includes('null') ? [] : [{ from: null, collection: target, columns: relation.toColumns, cells }]
    }),
  )

/** Whether the payload writes a column. The key that found the row does not count. */
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

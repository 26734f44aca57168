import type { Actor } from '../../access/actor.ts'
import type { Authorized } from '../../access/authorized.ts'
import { bindCreate } from '../../query/bind-write.ts'
import type { WriteNode, WriteTree } from '../../query/bound-write.ts'
import type { Payload } from '../../query/mutation.ts'
import type { Collection } from '../../schema/schema.ts'
import { hasHashes } from './complete.ts'
import { compositeKeys } from './composite-keys.ts'
import type { StageContext } from './context.ts'
import { isOpen, type Insert, type InsertPlan } from './insert-plan.ts'
import { bindRows } from './list-rows.ts'
import type { WriteServices } from './request.ts'
import { recordset, statementKey } from './statements.ts'

interface InsertGroup extends Insert {
  readonly nodes: WriteNode[]
}

const MAX_GROUPS = 20

/** Plans the inserts of nested payloads; null if they need more than inserts. */
export function planTree(
  items: readonly Payload[],
  collection: Authorized<Collection>,
  context: StageContext,
  actor: Actor,
  { maxBatch, guarding, filters }: WriteServices,
): InsertPlan | null {
  const roots = bindRows(items, context, (item) => bindCreate(item, collection, [], context))
  const { nodes, removals, pendingAny } = context.tree
  if (nodes.length > maxBatch || removals.length > 0 || pendingAny.length > 0) return null
  if (nodes.some(({ collection: to }) => hasHashes(to) || guarding.isGuarded(to) || filters.isFiltered(to))) return null
  const tree = context.authorize(context.tree)
  if (!tree.nodes.every((node) => isOpen(node.collection, actor)) || tree.references.length > 0) return null
  context.complete(tree)
  if (tree.nodes.some((node) => hasRuledKeys(node) || compositeKeys(node, context).length > 0)) return null
  const groups = groupInserts(tree)
  const root =
    groups?.findIndex(
      ({ nodes }) => nodes.length === roots.length && roots.every((node, index) => nodes[index] === node),
    ) ?? -1
  if (groups === null || root === -1) return null
  return { inserts: groups, root, sets: groups.map(cellsOf), shape: groups.map(groupKey).join(' ') }
}

/** Whether a validation rule of a field needs a key that another row of the payload gets. */
const hasRuledKeys = ({ collection, values }: WriteNode): boolean =>
  [...values].some(([name, value]) => value.kind === 'taken' && collection.columns.get(name)?.meta?.validation)

const groupKey = ({ collection, fields, taken }: Insert) =>
  `${statementKey(collection, fields)} ${JSON.stringify([...taken])}`

/** Groups the rows, parents first; null, for example, if a row would have to find its parent among several. */
function groupInserts({ nodes }: Authorized<WriteTree>): InsertGroup[] | null {
  const groups: InsertGroup[] = []
  const byName = new Map<string, number>()
  const groupOf = new Map<WriteNode, number>()
  let waiting = [...nodes]
  while (waiting.length > 0) {
    const ready = waiting.filter((node) =>
      [...node.values.values()].every((value) => value.kind === 'given' || groupOf.has(value.node)),
    )
    if (ready.length === 0) return null
    for (const node of ready) if (!place(node, groups, byName, groupOf)) return null
    waiting = waiting.filter((node) => !groupOf.has(node))
  }
  const isAmbiguous = groups.some(({ taken }) =>
    [...taken.values()].some(({ group }) => groups[group]?.nodes.length !== 1),
  )
  return isAmbiguous || groups.length > MAX_GROUPS ? null : groups
}

function place(
  node: WriteNode,
  groups: InsertGroup[],
  byName: Map<string, number>,
  groupOf: Map<WriteNode, number>,
): boolean {
  const { collection } = node
  const fields = [...collection.columns.values()].filter(({ name }) => node.values.has(name))
  // Explicit keys advance a sequence, orders depend on existing rows, and an empty row has no columns to insert.
  const isPlain =
    node.action === 'create' && node.order === null && !fields.some(({ column }) => column.hasAutoIncrement)
  const taken = new Map<string, { group: number; column: string }>()
  for (const [name, value] of node.values) {
    if (value.kind === 'taken') taken.set(name, { group: groupOf.get(value.node) ?? -1, column: value.column })
  }
  if (!isPlain || fields.length === 0 || fields.length === taken.size) return false
  const name = JSON.stringify([collection.name, fields.map((field) => field.name), [...taken]])
  const known = byName.get(name)
  if (known === undefined) {
    byName.set(name, groups.length)
    groupOf.set(node, groups.length)
    groups.push({ collection, fields, nodes: [node], taken })
  } else {
    groups[known]?.nodes.push(node)
    groupOf.set(node, known)
  }
  return true
}

const cellsOf = ({ fields, nodes, taken }: InsertGroup): string => {
  const given = fields.filter(({ name }) => !taken.has(name))
  return recordset(
    nodes.map((node) =>
      given.map(({ name }) => {
        const value = node.values.get(name)
        return value?.kind === 'given' ? value.json : 'null'
      }),
    ),
  )
}

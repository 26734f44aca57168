import type { Actor } from '../../access/actor.ts'
import { authorizeCollection } from '../../access/authorize-write.ts'
import { readsAll, visibilityOf } from '../../access/grants.ts'
import { authorizeRead } from '../../access/authorize-read.ts'
import type { Authorized } from '../../access/authorized.ts'
import { LRUCache } from 'lru-cache'
import { between } from '../../lib/failpoint.ts'
import { isRuleConstant, type Parameter } from '../../lib/parameter.ts'
import { bindQuery } from '../../query/bind.ts'
import { bindCreate } from '../../query/bind-write.ts'
import type { WriteContext } from '../../query/write-context.ts'
import type { WriteNode, WriteTree } from '../../query/bound-write.ts'
import { createSpend } from '../../query/cost.ts'
import type { Payload } from '../../query/mutation.ts'
import type { Collection, ColumnField, Schema } from '../../schema/schema.ts'
import type { RevisionRow } from '../../sql/bulk.ts'
import { bindValues, type Compiled } from '../../sql/compile.ts'
import type { TypedColumn } from '../../sql/dialect.ts'
import type { Driver, Row } from '../../sql/driver.ts'
import { tableOf, typed } from '../columns.ts'
import { PRESENT, VERSION, planRead } from '../plan-read.ts'
import { isCurrent, versionsOf } from '../versions.ts'
import { hasChildren } from '../plan-node.ts'
import { compileRow, type WriteRow } from '../serialize.ts'
import { hasHashes, isOptional } from './complete.ts'
import { compositeKeys } from './composite-keys.ts'
import type { Watch } from './guards.ts'
import { writeContext, type StageContext } from './context.ts'
import type { WriteReply, WriteRequest, WriteServices } from './request.ts'
import { rootOf } from './root.ts'
import { hasSecrets } from './record.ts'
import { skipped } from './skipped.ts'
import { recordset, statementKey } from './statements.ts'
import { revisionRow } from './tree-state.ts'

/** Rows of one table with the same columns and the same parents, written by one insert. */
interface InsertGroup extends Insert {
  readonly nodes: WriteNode[]
}

interface Insert {
  readonly collection: Collection
  readonly fields: readonly ColumnField[]
  /** For columns that take their value from another row: the group and column of that row. */
  readonly taken: ReadonlyMap<string, { readonly group: number; readonly column: string }>
}

interface QuickStatement {
  readonly name: string
  readonly compiled: Compiled
  readonly write: WriteRow
}

export type QuickCreate = (
  request: WriteRequest,
  actor: Actor,
  schema: Schema,
) => Promise<WriteReply | 'outdated' | null>

/**
 * Whether the rows of this caller are written and returned exactly as sent, without decisions, generated values or
 * checks. A trigger could skip rows, and then the whole request must be rolled back. The statement returns whole rows,
 * so the collection has to be completely readable.
 */
const isOpen = (collection: Collection, actor: Actor): boolean =>
  !collection.hasInsertTrigger && collection.isWhollyReadable && (actor.isAdmin || mayDoAll(collection, actor))

const mayDoAll = (collection: Collection, actor: Actor): boolean =>
  readsAll(collection, actor) &&
  actor.fieldsFor(collection, 'create') === 'all' &&
  actor.permissionsFor(collection, 'create').every(({ presets, validation }) => presets === null && validation === null)

const MAX_GROUPS = 20
/** Maximum number of characters of all cached statements. */
const MOST_TEXT = 8 * 1024 ** 2

/** Guarded collections are never written here. */
const nothing = async () => undefined
const unwatched: Watch = {
  before: nothing,
  remove: nothing,
  after: async (changes) => changes,
  finish: async () => null,
}

/**
 * Creates rows, including nested ones, with one statement that is also the transaction: no round trip waits for the key
 * of another row. Returns null without any effect if the payload needs more than inserts, or the response more than the
 * rows themselves.
 */
export function createQuickCreate(services: WriteServices, driver: Driver): QuickCreate {
  const cache = new LRUCache<string, QuickStatement>({
    max: 500,
    maxSize: MOST_TEXT,
    sizeCalculation: ({ compiled }, key) => key.length + compiled.text.length,
  })
  let count = 0

  return async (request, actor, schema) => {
    const { mutation, read } = request
    const { dialect } = services.statements
    const { insertTree } = dialect.bulk
    if (
      insertTree === null ||
      mutation.kind !== 'create' ||
      mutation.items.length === 0 ||
      mutation.items.length > services.maxBatch ||
      read === null ||
      read.values.length > 0
    )
      return null
    const collection = authorizeCollection(rootOf(mutation, schema, actor), 'create', actor)
    if (services.guarding.isGuarded(collection) || !isOpen(collection, actor)) return null
    const context = writeContext(schema, actor, services, unwatched)
    const flat = flatRows(mutation.items, collection, context)
    const planned = flat ?? treeRows(mutation.items, collection, context, actor, services)
    if (planned === null) return null
    const { groups, root, sets, shape } = planned
    const key = `${schema.generation} ${actor.grantKey} ${root} ${shape} ${read.queryKey}`
    let statement = cache.get(key)
    if (statement === undefined) {
      if (groups.some((group) => hasSecrets(group.collection))) return null
      const bound = bindQuery(
        read.query,
        mutation.collection,
        schema,
        services.limitDefault,
        mutation.isSystem,
        visibilityOf(actor),
        createSpend(services.cost),
      )
      if (hasChildren(bound) || bound.filter !== null || bound.search !== null || bound.aggregate !== null) return null
      const plan = planRead(
        authorizeRead(bound, { actor, schema, fits: services.fits, grants: services.grants }),
        {
          by: 'written',
          wantsRowVersion: false,
          wantsKeys: false,
          meta: [],
          cursor: null,
          version: dialect.versionTable(services.systemSchema),
        },
        dialect,
      )
      const inserts = groups.map(({ collection: to, fields, taken }, index) => ({
        table: tableOf(to),
        set: { columns: fields.filter(({ name }) => !taken.has(name)).map(typed), parameter: index },
        columns: fields.map(({ name }) => ({ name, taken: taken.get(name) ?? null })),
        record: recordOf(to),
      }))
      count += 1
      const compiled = dialect.compile(
        insertTree({
          inserts,
          root,
          select: plan.statement,
          systemSchema: services.systemSchema,
          parameters: groups.length,
        }),
      )
      statement = { name: `q${count}`, compiled, write: compileRow(plan.cells) }
      cache.set(key, statement)
    }
    const { name, compiled } = statement
    const values = bindValues(compiled.binds, valuesOf(sets, request, actor, schema))
    const rows = await between(services.failpoints, 'write.before-quick-create', 'write.after-quick-create', () =>
      driver.execute({ name, text: compiled.text, values }),
    )
    return replyOf(rows, statement, schema, actor, mutation.items.length)
  }
}

/** The data that activity and revisions keep of a collection's rows; null: none. */
const recordOf = (
  collection: Collection,
): { collection: string; key: readonly TypedColumn[]; row: RevisionRow | null } | null => {
  const accountability = collection.meta === null ? 'all' : collection.meta.accountability
  if (accountability === null) return null
  return {
    collection: collection.name,
    key: collection.key.map(typed),
    row: accountability === 'all' ? revisionRow(collection) : null,
  }
}

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

const valuesOf = (sets: readonly string[], { origin }: WriteRequest, actor: Actor, schema: Schema) => {
  const values = [...sets, versionsOf(schema, actor), actor.user ?? '', origin.ip ?? '', origin.userAgent ?? '']
  return (parameter: Parameter): string => (isRuleConstant(parameter) ? '' : (values[parameter] ?? ''))
}

/** The inserts, their rows, and a cache key for the statement (`shape`). */
interface Planned {
  readonly groups: readonly Insert[]
  readonly root: number
  readonly sets: readonly string[]
  readonly shape: string
}

function treeRows(
  items: readonly Payload[],
  collection: Authorized<Collection>,
  context: StageContext,
  actor: Actor,
  { maxBatch, guarding }: WriteServices,
): Planned | null {
  const roots = items.map((item) => bindCreate(item, collection, [], context))
  const { nodes, removals, pendingAny } = context.tree
  if (nodes.length > maxBatch || removals.length > 0 || pendingAny.length > 0) return null
  if (nodes.some(({ collection: to }) => hasHashes(to) || guarding.isGuarded(to))) return null
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
  return { groups, root, sets: groups.map(cellsOf), shape: groups.map(groupKey).join(' ') }
}

/** Whether a validation rule of a field needs a key that another row of the payload gets. */
const hasRuledKeys = ({ collection, values }: WriteNode): boolean =>
  [...values].some(([name, value]) => value.kind === 'taken' && collection.columns.get(name)?.meta?.validation)

const noParents: Insert['taken'] = new Map()

/**
 * Rows without nested data that all have the same fields need no tree. Returns null for other rows, and if a value has
 * to be filled in or refused; the tree handles these cases.
 */
function flatRows(
  items: readonly Payload[],
  collection: Authorized<Collection>,
  context: WriteContext,
): Planned | null {
  const { encode } = context
  const names = Object.keys(items[0] ?? {})
  const fields = names.flatMap((name) => collection.columns.get(name) ?? [])
  if (
    names.length === 0 ||
    fields.length !== names.length ||
    fields.some(needsCare) ||
    !isComplete(collection, names) ||
    pointsAtHidden(collection, fields, context)
  )
    return null
  const rows: string[] = []
  for (const item of items) {
    const keys = Object.keys(item)
    if (keys.length !== names.length) return null
    let row = ''
    for (let index = 0; index < fields.length; index += 1) {
      const field = fields[index]
      const value = item[names[index] ?? '']
      if (field === undefined || keys[index] !== names[index]) return null
      if (field.relation !== null && typeof value === 'object' && value !== null) return null
      if ((value === null || value === undefined) && !field.column.isNullable) return null
      row += `${index === 0 ? '' : ','}"f${index}":${encode(field, value, noPath)}`
    }
    rows.push(`{${row}}`)
  }
  return {
    groups: [{ collection, fields, taken: noParents }],
    root: 0,
    sets: [`[${rows.join(',')}]`],
    shape: JSON.stringify([collection.name, names]),
  }
}

const noPath: readonly string[] = []

/** Whether a relation leads to a collection in which the caller cannot see every row. */
const pointsAtHidden = (
  { inferred, aliases }: Collection,
  fields: readonly ColumnField[],
  { schema, mustSee }: WriteContext,
): boolean =>
  [...fields, ...inferred.values(), ...aliases.values()].some(({ relation }) => {
    const targets = relation?.kind === 'one' ? [relation.to] : relation?.kind === 'any' ? relation.allowed : []
    return targets.some((name) => {
      const target = schema.collections.get(name)
      return target !== undefined && mustSee(target)
    })
  })

/** Whether the column has a counter to advance, or a value that the database computes. */
const needsCare = ({ column }: ColumnField) => column.hasAutoIncrement || column.generationExpression !== null

/** Whether all required fields are sent and no field needs a generated value or a validation. */
const isComplete = (collection: Collection, names: readonly string[]) =>
  [...collection.columns.values()].every(
    (field) =>
      field.specials.length === 0 &&
      !field.meta?.validation &&
      (names.includes(field.name) || isOptional(field, collection)),
  )

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

/** The statement inserts rows only under the versions that the payload was bound to. */
function replyOf(
  rows: readonly Row[],
  { write }: QuickStatement,
  schema: Schema,
  actor: Actor,
  expected: number,
): WriteReply | 'outdated' {
  if (!isCurrent(rows[0]?.[VERSION], schema, actor)) return 'outdated'
  const found = (rows[0]?.[PRESENT] ?? null) === null ? [] : rows
  if (found.length !== expected) throw skipped('insert')
  return { rows: found.map(write), rowVersion: null, isHidden: false }
}

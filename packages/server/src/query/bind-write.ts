import { invalidPayload, forbidden, ServiceError } from '@tain/contract'
import { nearest } from '../lib/nearest.ts'
import {
  findField,
  type Collection,
  type ColumnField,
  type Field,
  type RelationField,
  type Schema,
  type Through,
  type ToMany,
  type ToOne,
} from '../schema/schema.ts'
import type { ChildList, Removal, WriteNode, WriteTree, WriteValue } from './bound-write.ts'
import { joinedKey, keyIn, keyParts } from './keys.ts'
import { changesOf, type Changes } from './list-changes.ts'
import { noField } from './resolve.ts'
import { isPayload, type Payload } from './mutation.ts'

export interface WriteContext {
  readonly schema: Schema
  readonly tree: WriteTree
  /** Rows that turn up while the tree is being run need rights and completion like the others. */
  readonly authorize: (tree: WriteTree) => void
  readonly complete: (tree: WriteTree) => void
  /** A `save` of which it is known by now what it does. */
  readonly completeSave: (node: WriteNode, action: 'create' | 'update') => void
  /** A row whose keys out of other rows of the payload are known by now. */
  readonly completeKeys: (
    node: WriteNode,
    action: 'create' | 'update',
    keys: Readonly<Record<string, string | null>>,
  ) => void
  /** Rows that leave a list, and so have their foreign key emptied. */
  readonly completeEmptied: (removal: Removal) => void
  /** Fields that may be named in a row with this action; one list for each right the row may turn out to need. */
  readonly fields: (action: WriteNode['action'], collection: Collection) => readonly ('all' | ReadonlySet<string>)[]
  /** What is written where the caller sent nothing. */
  readonly presets: (action: 'create' | 'update', collection: Collection) => Payload
  /** Whether the caller may do anything with a collection. */
  readonly mayUse: (collection: Collection) => boolean
  /** Whether a row of this collection that is pointed at has to be looked up for the caller. */
  readonly mustSee: (collection: Collection) => boolean
  /** Last of all: what collections ask beyond their columns, then secrets become hashes. */
  readonly settle: (tree: WriteTree) => Promise<void>
  /** A payload's value → JSON of the column's type; throws what is wrong with it. */
  readonly encode: (field: ColumnField, value: unknown, path: readonly string[]) => string
}

export const startTree = (): WriteTree => ({ nodes: [], removals: [], references: [], pendingAny: [] })

type NodeInput = Pick<WriteNode, 'collection' | 'action' | 'key' | 'path'> &
  Partial<Pick<WriteNode, 'order' | 'isLate' | 'sentKey'>>

function addNode(input: NodeInput, { tree }: WriteContext): WriteNode {
  const node: WriteNode = { order: null, isLate: false, ...input, values: new Map(), sent: new Set() }
  tree.nodes.push(node)
  return node
}

/** A row to create from a payload, with everything nested in it. */
export function bindCreate(
  payload: Payload,
  collection: Collection,
  path: readonly string[],
  context: WriteContext,
): WriteNode {
  const node = addNode({ collection, action: 'create', key: null, path }, context)
  bindPayload(node, payload, context)
  return node
}

/** Everything a payload says of its row, and what presets say beyond it. */
function bindPayload(node: WriteNode, payload: Payload, context: WriteContext): void {
  checkNames(payload, node, context)
  const { action, collection } = node
  const whole =
    action === 'create' || action === 'update' ? { ...presetsFor(action, collection, context), ...payload } : payload
  bindColumns(node, whole, context)
  bindChildren(node, whole, context)
}

/** What presets say of a row, beyond what is said of it already; for rows of which it is known late what happens to them. */
export function bindPresets(node: WriteNode, action: 'create' | 'update', context: WriteContext): void {
  const presets = presetsFor(action, node.collection, context)
  const rest = Object.fromEntries(
    Object.entries(presets).filter(([name]) => !node.sent.has(name) && !node.values.has(name)),
  )
  bindColumns(node, rest, context)
  bindChildren(node, rest, context)
}

const presetsFor = (action: 'create' | 'update', collection: Collection, context: WriteContext): Payload => {
  const presets = context.presets(action, collection)
  return action === 'update' ? withoutKey(presets, collection) : presets
}

/** A name that may not be written is answered like one that does not exist, but for those who may write all. */
function checkNames(payload: Payload, node: WriteNode, context: WriteContext): void {
  const lists = context.fields(node.action, node.collection)
  const names = Object.keys(payload)
  const isClosed = lists.length > 0 && lists.every((fields) => fields !== 'all' && fields.size === 0)
  // The collection behind a relation is one that the caller has not named: where it is closed it is not told. A row that
  // is only named may turn out to be linked, which takes no field.
  if (node.path.length > 0 && names.length > 0 && isClosed) throw forbidden()
  for (const name of names) {
    if (!lists.some((fields) => fields === 'all' || fields.has(name)))
      throw noField(name, node.collection.name, 'root', namesIn(lists))
    fieldOf(name, node.collection, context)
    node.sent.add(name)
  }
}

/** Names that a caller may send. */
export const namesIn = (lists: readonly ('all' | ReadonlySet<string>)[]): string[] =>
  lists.flatMap((fields) => (fields === 'all' ? [] : [...fields]))

/** A row that exists, by its key. The key may be sent along, but not changed. */
export function bindUpdate(
  key: readonly string[],
  payload: Payload,
  collection: Collection,
  path: readonly string[],
  context: WriteContext,
): WriteNode {
  const node = addNode({ collection, action: 'update', key, path, ...sentKey(payload, collection) }, context)
  bindPayload(node, withoutKey(payload, collection), context)
  return node
}

/** Several rows with the same change: what they lead to is written once, what leads to them once for each. */
export function bindUpdateAll(
  keys: readonly (readonly string[])[],
  payload: Payload,
  collection: Collection,
  context: WriteContext,
): WriteNode[] {
  const sent = withoutKey(payload, collection)
  const own = sentKey(payload, collection)
  const nodes = keys.map((key) => addNode({ collection, action: 'update', key, path: [], ...own }, context))
  const [first, ...others] = nodes
  if (first === undefined) return []
  for (const node of nodes) checkNames(sent, node, context)
  const data = { ...presetsFor('update', collection, context), ...sent }
  bindColumns(first, data, context)
  const pending = context.tree.pendingAny.filter(({ node }) => node === first)
  for (const node of others) {
    for (const [column, value] of first.values) node.values.set(column, value)
    // Each row says for itself which collection its item is of.
    for (const item of pending) context.tree.pendingAny.push({ ...item, node })
  }
  for (const node of nodes) bindChildren(node, data, context)
  return nodes
}

const sentKey = (payload: Payload, { key }: Collection): Pick<WriteNode, 'sentKey'> => {
  const parts = key.flatMap(({ name }) => (payload[name] === undefined ? [] : [[name, payload[name]] as const]))
  return parts.length === 0 ? {} : { sentKey: Object.fromEntries(parts) }
}

const withoutKey = (payload: Payload, collection: Collection): Payload => {
  const names = new Set(collection.key.map(({ name }) => name))
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !names.has(name)))
}

/**
 * Creates, or updates when the row is there: for keys that callers make themselves, and for PUT. Columns that the list
 * takes from its parent lead nowhere else, whatever was sent for them.
 */
export function bindSave(
  key: readonly string[],
  payload: Payload,
  collection: Collection,
  path: readonly string[],
  context: WriteContext,
  listColumns: readonly string[] = [],
): WriteNode {
  const node = addNode({ collection, action: 'save', key, path, isLate: true }, context)
  for (const [index, field] of collection.key.entries()) {
    const json = context.encode(field, key[index], path)
    node.values.set(field.name, given(json))
    if (field.relation?.kind === 'one' && !listColumns.includes(field.name)) refer(field.relation, json, node, context)
  }
  bindPayload(node, withoutKey(payload, collection), context)
  return node
}

const given = (json: string): WriteValue => ({ kind: 'given', json })

/** What names are looked up in, and for whom. */
type Naming = Pick<WriteContext, 'schema' | 'mayUse'>

/** An inferred field is called by the tables it leads to: where one of those is closed, so is the name. */
function isOpen({ relation }: RelationField, { schema, mayUse }: Naming): boolean {
  const tables = relation.kind === 'through' ? [relation.to, relation.junction] : [relation.to]
  return tables.every((name) => {
    const collection = schema.collections.get(name)
    return collection !== undefined && mayUse(collection)
  })
}

function unknownKey(name: string, collection: Collection, naming: Naming): Error {
  const inferred = [...collection.inferred.values()].filter((field) => isOpen(field, naming))
  const hint = nearest(name, [
    ...collection.columns.keys(),
    ...[...collection.aliases.values()].filter(({ relation }) => relation !== null).map((field) => field.name),
    ...inferred.map((field) => field.name),
  ])
  return invalidPayload(
    `"${name}" is no field of "${collection.name}"${hint === undefined ? '' : `; did you mean "${hint}"?`}`,
  )
}

/** The database would refuse it as well, without saying which field it was. */
export const generated = ({ name }: ColumnField): ServiceError =>
  new ServiceError(
    'INVALID_PAYLOAD',
    `Invalid payload. "${name}" is GENERATED ALWAYS: the database makes its value, and none can be sent.`,
    { field: name, reason: `"${name}" is GENERATED ALWAYS: the database makes its value, and none can be sent` },
  )

export function fieldOf(name: string, collection: Collection, naming: Naming): Field {
  const field = findField(collection, name)
  const isThere =
    field !== undefined &&
    !(field.kind === 'alias' && field.relation === null) &&
    !(field.kind === 'inferred' && !isOpen(field, naming))
  if (!isThere) throw unknownKey(name, collection, naming)
  return field
}

/** Own columns and to-one relations. */
function bindColumns(node: WriteNode, payload: Payload, context: WriteContext): void {
  for (const name of Object.keys(payload)) {
    const field = fieldOf(name, node.collection, context)
    const value = payload[name]
    if (field.kind !== 'column') {
      if (field.relation?.kind === 'one') bindToOne(node, field, value, context)
      continue
    }
    if (field.column.generationExpression !== null || field.column.identity === 'always') throw generated(field)
    if (field.relation?.kind === 'one' && isPayload(value)) bindToOne(node, field, value, context)
    else if (field.relation?.kind === 'any' && isPayload(value)) bindToAny(node, field, payload, value, context)
    else {
      const json = context.encode(field, value, node.path)
      node.values.set(name, given(json))
      if (field.relation?.kind === 'one' && json !== 'null') refer(field.relation, json, null, context)
      if (field.relation?.kind === 'any' && json !== 'null') bindToAny(node, field, payload, value, context)
    }
  }
}

/** A key that stands in a column: who may not see every row it could lead to has to see the one it does. */
function refer({ to, toColumns }: ToOne, json: string, from: WriteNode | null, context: WriteContext): void {
  const collection = context.schema.collections.get(to)
  if (collection === undefined || toColumns.length !== 1 || !context.mustSee(collection)) return
  context.tree.references.push({ from, collection, columns: toColumns, cells: [json] })
}

/** Many-to-one: an object creates or updates what the columns lead to, and the columns take its key. */
function bindToOne(node: WriteNode, field: Field, value: unknown, context: WriteContext): void {
  const { relation } = field
  if (relation?.kind !== 'one') return
  if (value === null) {
    for (const column of relation.columns) node.values.set(column, given('null'))
    return
  }
  const target = collectionOf(relation.to, context)
  const path = [...node.path, field.name]
  const child = isPayload(value) ? bindNested(value, target, path, context) : linkNode(value, target, path, context)
  for (const [index, column] of relation.columns.entries()) {
    node.values.set(column, { kind: 'taken', node: child, column: relation.toColumns[index] ?? column })
  }
}

const collectionOf = (name: string, { schema }: WriteContext): Collection => {
  const collection = schema.collections.get(name)
  if (collection === undefined) throw forbidden()
  return collection
}

const linkNode = (key: unknown, collection: Collection, path: readonly string[], context: WriteContext): WriteNode =>
  addNode({ collection, action: 'link', key: keyParts(key, collection), path }, context)

/** An object at a relation: without key it is new, with its key alone it is linked, with more it is changed. */
function bindNested(
  payload: Payload,
  collection: Collection,
  path: readonly string[],
  context: WriteContext,
): WriteNode {
  if (collection.isReadOnly) throw invalidPayload(`What "${path.at(-1) ?? ''}" leads to can only be read`)
  const key = keyIn(payload, collection)
  if (key === null) return bindCreate(payload, collection, path, context)
  const names = new Set(collection.key.map(({ name }) => name))
  if (Object.keys(payload).every((name) => names.has(name)) && !callerMakesKey(collection))
    return linkNode(joinedKey(key), collection, path, context)
  return callerMakesKey(collection)
    ? bindSave(key, payload, collection, path, context)
    : bindUpdate(key, payload, collection, path, context)
}

/** Nobody but the caller can know the key of a new row. */
export const callerMakesKey = ({ key }: Collection): boolean =>
  key.some(
    ({ column, specials, relation }) =>
      column.defaultExpression === null && column.identity === null && !specials.includes('uuid') && relation === null,
  )

/** Many-to-any: the sibling column says which collection the item is of; an entry that exists knows it by itself. */
function bindToAny(node: WriteNode, field: ColumnField, payload: Payload, value: unknown, context: WriteContext): void {
  const { relation } = field
  if (relation?.kind !== 'any') return
  const name = payload[relation.collectionColumn]
  if (typeof name !== 'string') {
    if (node.key === null && !isPayload(value)) return
    if (node.key === null)
      throw invalidPayload(`"${field.name}" needs "${relation.collectionColumn}" beside it, to say what it is`)
    context.tree.pendingAny.push({ node, field, value })
    return
  }
  takeAny(node, field, name, value, context)
}

/** Also called once the collection of an existing entry has been read. */
export function takeAny(
  node: WriteNode,
  field: ColumnField,
  collectionName: string,
  value: unknown,
  context: WriteContext,
): void {
  const { relation } = field
  if (relation?.kind !== 'any') return
  if (!isPayload(value)) return referToAny(collectionName, value, context)
  if (!relation.allowed.includes(collectionName))
    throw invalidPayload(`"${field.name}" can't be linked to collection "${collectionName}"`)
  const child = bindNested(value, collectionOf(collectionName, context), [...node.path, field.name], context)
  const [key, ...others] = child.collection.key
  if (key === undefined || others.length > 0) throw invalidPayload(`"${collectionName}" has no key of one column`)
  node.values.set(field.name, { kind: 'taken', node: child, column: key.name })
}

/** An item named by its key alone. */
function referToAny(name: string, value: unknown, context: WriteContext): void {
  const collection = context.schema.collections.get(name)
  const [key, ...others] = collection?.key ?? []
  if (collection === undefined || key === undefined || others.length > 0 || !context.mustSee(collection)) return
  const cells = [cellOf(key, value, context)]
  context.tree.references.push({ from: null, collection, columns: [key.name], cells })
}

/** A key that cannot be one belongs to nothing. */
function cellOf(key: ColumnField, value: unknown, context: WriteContext): string {
  try {
    return context.encode(key, value, [])
  } catch {
    throw forbidden()
  }
}

/** To-many relations of a row that is written itself. */
function bindChildren(node: WriteNode, payload: Payload, context: WriteContext): void {
  for (const name of Object.keys(payload)) {
    const field = fieldOf(name, node.collection, context)
    if (field.kind === 'column') continue
    if (field.relation?.kind === 'many') bindToMany(node, field, field.relation, payload[name], context)
    if (field.relation?.kind === 'through') bindThrough(node, field, field.relation, payload[name], context)
  }
}

/** A row that is being made has no children that could leave. */
const hasNone = ({ action }: WriteNode, { remove }: Changes) => action === 'create' && remove?.kind === 'others'

function bindToMany(node: WriteNode, field: Field, relation: ToMany, value: unknown, context: WriteContext): void {
  const to = collectionOf(relation.to, context)
  const path = [...node.path, field.name]
  if (to.isReadOnly) throw invalidPayload(`What "${field.name}" leads to can only be read`)
  const changes = changesOf(value, field.name, to)
  const list: ChildList = { collection: to, columns: relation.toColumns, parentColumns: relation.columns }
  const attach = (child: WriteNode) => {
    for (const [index, column] of relation.toColumns.entries()) {
      child.values.set(column, { kind: 'taken', node, column: relation.columns[index] ?? column })
      child.sent.add(column)
    }
    return child
  }
  const sortField = relation.sortField === null ? undefined : to.columns.get(relation.sortField)
  const created = changes.create.map((payload, index) => {
    const payloadWithoutParent = without(payload, relation.toColumns)
    const order =
      changes.isDetailed && sortField !== undefined && payload[sortField.name] === undefined
        ? { field: sortField, index, parent: node, list }
        : null
    const child = addNode({ collection: to, action: 'create', key: null, path, order }, context)
    bindPayload(child, payloadWithoutParent, context)
    return attach(child)
  })
  const assign = (key: readonly string[]) =>
    attach(addNode({ collection: to, action: 'update', key, path, isLate: true }, context))
  const updated = changes.update.map((payload) => {
    const key = keyIn(payload, to)
    if (key === null) throw invalidPayload(`Each entry of "${field.name}.update" needs its key`)
    const data = without(payload, relation.toColumns)
    if (!callerMakesKey(to) && Object.keys(withoutKey(data, to)).length === 0) return assign(key)
    return attach(
      callerMakesKey(to)
        ? bindSave(key, data, to, path, context, relation.toColumns)
        : bindUpdate(key, data, to, path, context),
    )
  })
  const assigned = changes.assign.map((key) => assign(keyParts(key, to)))
  if (changes.remove === null || hasNone(node, changes)) return
  const action = deselectAction(relation, to, context)
  const which: Removal['which'] =
    changes.remove.kind === 'others'
      ? { kind: 'others', kept: [...created, ...updated, ...assigned] }
      : { kind: 'named', columns: to.key, keys: changes.remove.keys.map((key) => keyParts(key, to)) }
  context.tree.removals.push({ list, parent: node, action, which, path })
}

const without = (payload: Payload, names: readonly string[]): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)))

/** What happens to a child that leaves: as metadata says; a row that only joins two others has no life of its own. */
function deselectAction(relation: ToMany, to: Collection, { schema }: WriteContext): Removal['action'] {
  const declared = schema.relations.find(
    ({ collection, field }) =>
      collection === to.name && relation.toColumns.length === 1 && field === relation.toColumns[0],
  )
  if (declared?.meta?.one_deselect_action === 'delete') return 'delete'
  const isPartOfKey = relation.toColumns.every((column) => to.key.some(({ name }) => name === column))
  return isPartOfKey ? 'delete' : 'nullify'
}

/** Many-to-many through a pure junction: entries are far items, links are junction rows. */
function bindThrough(node: WriteNode, field: Field, relation: Through, value: unknown, context: WriteContext): void {
  const to = collectionOf(relation.to, context)
  const junction = collectionOf(relation.junction, context)
  const path = [...node.path, field.name]
  const changes = changesOf(value, field.name, to)
  const far = [
    ...changes.create.map((payload) => bindCreate(payload, to, path, context)),
    ...changes.update.map((payload) => {
      if (keyIn(payload, to) === null) throw invalidPayload(`Each entry of "${field.name}.update" needs its key`)
      return bindNested(payload, to, path, context)
    }),
    ...changes.assign.map((key) => linkNode(key, to, path, context)),
  ]
  const links = far.map((item) => {
    const link = addNode({ collection: junction, action: 'join', key: null, path }, context)
    for (const [index, column] of relation.nearColumns.entries())
      link.values.set(column, { kind: 'taken', node, column: relation.columns[index] ?? column })
    for (const [index, column] of relation.farColumns.entries())
      link.values.set(column, { kind: 'taken', node: item, column: relation.toColumns[index] ?? column })
    for (const column of link.values.keys()) link.sent.add(column)
    bindPresets(link, 'create', context)
    return link
  })
  if (changes.remove === null || hasNone(node, changes)) return
  // Far items that are named have to exist, also when they are not linked.
  if (changes.remove.kind === 'named') for (const key of changes.remove.keys) linkNode(key, to, path, context)
  const list: ChildList = { collection: junction, columns: relation.nearColumns, parentColumns: relation.columns }
  const farFields = relation.farColumns.flatMap((name) => junction.columns.get(name) ?? [])
  const which: Removal['which'] =
    changes.remove.kind === 'others'
      ? { kind: 'others', kept: links }
      : { kind: 'named', columns: farFields, keys: changes.remove.keys.map((key) => keyParts(key, to)) }
  context.tree.removals.push({ list, parent: node, action: 'delete', which, path })
}

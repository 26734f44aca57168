import { invalidPayload, forbidden } from '@tain/contract'
import type { Collection, ColumnField, Field, Through, ToMany, ToOne } from '../schema/schema.ts'
import type { ChildList, Removal, WriteNode, WriteTree, WriteValue } from './bound-write.ts'
import { deselectAction } from './deselect-action.ts'
import { joinedKey, keyIn, keyParts } from './keys.ts'
import { changesOf, type Changes } from './list-changes.ts'
import { callerMakesKey, sentKey, without, withoutKey } from './payload-keys.ts'
import { noField } from './resolve.ts'
import { isPayload, type Filled, type Payload } from './mutation.ts'
import { fieldOf, generated, namesIn } from './writable-field.ts'
import type { WriteContext } from './write-context.ts'

export const startTree = (): WriteTree => ({
  row: null,
  nodes: [],
  removals: [],
  references: [],
  pendingAny: [],
})

type NodeInput = Pick<WriteNode, 'collection' | 'action' | 'key' | 'path'> &
  Partial<Pick<WriteNode, 'order' | 'isLate' | 'sentKey'>>

function addNode(input: NodeInput, { tree }: WriteContext): WriteNode {
  const node: WriteNode = { order: null, isLate: false, row: tree.row, ...input, values: new Map(), sent: new Set() }
  tree.nodes.push(node)
  return node
}

/** Binds a row to create, including all nested rows. */
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

/** Binds the values of a payload, and presets for fields that it does not contain. */
function bindPayload(node: WriteNode, payload: Payload, context: WriteContext): void {
  checkNames(payload, node, context)
  const { action, collection } = node
  const whole =
    action === 'create' || action === 'update' ? { ...presetsFor(action, collection, context), ...payload } : payload
  bindColumns(node, whole, context)
  bindChildren(node, whole, context)
}

/** Binds presets for fields without a value, e.g. for rows whose action is known only after the lookup. */
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

/** Callers who may not write every field get the same error for a forbidden field as for a missing one. */
function checkNames(payload: Payload, node: WriteNode, context: WriteContext): void {
  const lists = context.fields(node.action, node.collection)
  const names = Object.keys(payload)
  const isClosed = lists.length > 0 && lists.every((fields) => fields !== 'all' && fields.size === 0)
  // The caller has not named the collection behind a relation, so the error must not reveal it. A payload without other
  // fields than the key is allowed: the row may only be linked, which needs no field.
  if (node.path.length > 0 && names.length > 0 && isClosed) throw forbidden()
  for (const name of names) {
    if (!lists.some((fields) => fields === 'all' || fields.has(name)))
      throw noField(name, node.collection.name, 'root', namesIn(lists))
    fieldOf(name, node.collection, context)
    node.sent.add(name)
  }
}

/** Binds an update of an existing row by its key. The payload may repeat the key, but not change it. */
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

/** Binds one change for several rows. Rows that they reference are written once, their children once per row. */
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
    // The stored row determines the collection of its item, so each row needs an entry.
    for (const item of pending) context.tree.pendingAny.push({ ...item, node })
  }
  for (const node of nodes) bindChildren(node, data, context)
  return nodes
}

/**
 * Binds a row that is updated if it exists and created otherwise: for keys that callers choose, and for PUT. The parent
 * provides the values of `listColumns`, so values that were sent for them are not checked as references.
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

/** Adds the values of the service. They win over what was sent. */
export function fillNode(node: WriteNode, filled: Filled | undefined, context: WriteContext): WriteNode {
  if (filled === undefined) return node
  bindColumns(node, filled.values, context)
  if (filled.unknown !== undefined) node.unknown = filled.unknown
  return node
}

/** Binds columns and to-one relations. */
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
      // Presets and values of the service refer to rows that the caller need not see.
      if (field.relation?.kind === 'one' && json !== 'null' && node.sent.has(name))
        refer(field.relation, json, null, context)
      if (field.relation?.kind === 'any' && json !== 'null') bindToAny(node, field, payload, value, context)
    }
  }
}

/** Records a reference by key for the visibility check, unless the caller can see every row of the target. */
function refer({ to, toColumns }: ToOne, json: string, from: WriteNode | null, context: WriteContext): void {
  const collection = context.schema.collections.get(to)
  if (collection === undefined || toColumns.length !== 1 || !context.mustSee(collection)) return
  context.tree.references.push({ from, collection, columns: toColumns, cells: [json] })
}

/** Many-to-one: an object creates or updates the referenced row, and the columns take its key. */
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

/** Binds a nested object: without key it is created, with its key alone it is linked, with more it is updated. */
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

/** Many-to-any: a sibling column names the collection of the item; for an existing row it may be omitted. */
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

/** Also called after the collection of an existing entry has been read. */
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

/** References an item by its key alone. */
function referToAny(name: string, value: unknown, context: WriteContext): void {
  const collection = context.schema.collections.get(name)
  const [key, ...others] = collection?.key ?? []
  if (collection === undefined || key === undefined || others.length > 0 || !context.mustSee(collection)) return
  const cells = [cellOf(key, value, context)]
  context.tree.references.push({ from: null, collection, columns: [key.name], cells })
}

/** An invalid key gives the same error as a key that does not exist. */
function cellOf(key: ColumnField, value: unknown, context: WriteContext): string {
  try {
    return context.encode(key, value, [])
  } catch {
    throw forbidden()
  }
}

/** Binds the to-many relations of a row. */
function bindChildren(node: WriteNode, payload: Payload, context: WriteContext): void {
  for (const name of Object.keys(payload)) {
    const field = fieldOf(name, node.collection, context)
    if (field.kind === 'column') continue
    if (field.relation?.kind === 'many') bindToMany(node, field, field.relation, payload[name], context)
    if (field.relation?.kind === 'through') bindThrough(node, field, field.relation, payload[name], context)
  }
}

/** A new row has no children that could leave. */
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

/** Many-to-many through a pure junction table: entries are rows of the far collection, links are junction rows. */
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
  // Named items of the far collection have to exist, even if they are not linked.
  if (changes.remove.kind === 'named') for (const key of changes.remove.keys) linkNode(key, to, path, context)
  const list: ChildList = { collection: junction, columns: relation.nearColumns, parentColumns: relation.columns }
  const farFields = relation.farColumns.flatMap((name) => junction.columns.get(name) ?? [])
  const which: Removal['which'] =
    changes.remove.kind === 'others'
      ? { kind: 'others', kept: links }
      : { kind: 'named', columns: farFields, keys: changes.remove.keys.map((key) => keyParts(key, to)) }
  context.tree.removals.push({ list, parent: node, action: 'delete', which, path })
}

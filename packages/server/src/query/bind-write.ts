import { invalidPayload, forbidden } from '@tain/contract'
import { isExactNumber } from '../lib/exact-json.ts'
import { nearest } from '../lib/nearest.ts'
import {
  findField,
  type Collection,
  type ColumnField,
  type Field,
  type Schema,
  type Through,
  type ToMany,
} from '../schema/schema.ts'
import type { ChildList, Removal, WriteNode, WriteTree, WriteValue } from './bound-write.ts'
import { keyParts } from './keys.ts'
import type { Payload } from './mutation.ts'

export interface WriteContext {
  readonly schema: Schema
  readonly tree: WriteTree
  /** Rows that turn up while the tree is being run need rights and completion like the others. */
  readonly authorize: (tree: WriteTree) => void
  readonly complete: (tree: WriteTree) => void
  /** A payload's value → JSON of the column's type; throws what is wrong with it. */
  readonly encode: (field: ColumnField, value: unknown, path: readonly string[]) => string
}

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)

export const startTree = (): WriteTree => ({ nodes: [], removals: [], pendingAny: [] })

type NodeInput = Pick<WriteNode, 'collection' | 'action' | 'key' | 'path'> & Partial<Pick<WriteNode, 'order'>>

function addNode(input: NodeInput, { tree }: WriteContext): WriteNode {
  const node: WriteNode = { order: null, ...input, values: new Map() }
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
  bindColumns(node, payload, context)
  bindChildren(node, payload, context)
  return node
}

/** A row that exists, by its key; `keyed` leaves the key's own columns out of the change. */
export function bindUpdate(
  key: readonly string[],
  payload: Payload,
  collection: Collection,
  path: readonly string[],
  context: WriteContext,
): WriteNode {
  const node = addNode({ collection, action: 'update', key, path }, context)
  bindColumns(node, withoutKey(payload, collection), context)
  bindChildren(node, payload, context)
  return node
}

/** Several rows with the same change: what they lead to is written once, what leads to them once for each. */
export function bindUpdateAll(
  keys: readonly (readonly string[])[],
  payload: Payload,
  collection: Collection,
  context: WriteContext,
): WriteNode[] {
  const data = withoutKey(payload, collection)
  const nodes = keys.map((key) => addNode({ collection, action: 'update', key, path: [] }, context))
  const [first, ...others] = nodes
  if (first === undefined) return []
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

const withoutKey = (payload: Payload, collection: Collection): Payload => {
  const names = new Set(collection.key.map(({ name }) => name))
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !names.has(name)))
}

/** Creates, or updates when the row is there: for keys that callers make themselves, and for PUT. */
export function bindSave(
  key: readonly string[],
  payload: Payload,
  collection: Collection,
  path: readonly string[],
  context: WriteContext,
): WriteNode {
  const node = addNode({ collection, action: 'save', key, path }, context)
  for (const [index, field] of collection.key.entries())
    node.values.set(field.name, given(context.encode(field, key[index], path)))
  bindColumns(node, withoutKey(payload, collection), context)
  bindChildren(node, payload, context)
  return node
}

const given = (json: string): WriteValue => ({ kind: 'given', json })

function unknownKey(name: string, collection: Collection): Error {
  const known = [...collection.columns.keys(), ...collection.aliases.keys(), ...collection.inferred.keys()]
  const hint = nearest(name, known)
  return invalidPayload(
    `"${name}" is no field of "${collection.name}"${hint === undefined ? '' : `; did you mean "${hint}"?`}`,
  )
}

function fieldOf(name: string, collection: Collection): Field {
  const field = findField(collection, name)
  if (field === undefined || (field.kind === 'alias' && field.relation === null)) throw unknownKey(name, collection)
  return field
}

/** Own columns and to-one relations. */
function bindColumns(node: WriteNode, payload: Payload, context: WriteContext): void {
  for (const name of Object.keys(payload)) {
    const field = fieldOf(name, node.collection)
    const value = payload[name]
    if (field.kind !== 'column') {
      if (field.relation?.kind === 'one') bindToOne(node, field, value, context)
      continue
    }
    if (field.column.generationExpression !== null) throw invalidPayload(`"${name}" is computed by the database`)
    if (field.relation?.kind === 'one' && isObject(value)) bindToOne(node, field, value, context)
    else if (field.relation?.kind === 'any' && isObject(value)) bindToAny(node, field, payload, value, context)
    else node.values.set(name, given(context.encode(field, value, node.path)))
  }
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
  const child = isObject(value) ? bindNested(value, target, path, context) : linkNode(value, target, path, context)
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

/** The key inside a nested object, when all its parts are there. */
function keyIn(payload: Payload, collection: Collection): string[] | null {
  if (collection.key.length === 0) return null
  const parts = collection.key.map(({ name }) => payload[name])
  if (parts.some((part) => part === undefined || part === null || isObject(part))) return null
  return keyParts(
    collection.key.length === 1
      ? parts[0]
      : Object.fromEntries(collection.key.map(({ name }, index) => [name, parts[index]])),
    collection,
  )
}

/** An object at a relation: without key it is new, with its key alone it is linked, with more it is changed. */
function bindNested(
  payload: Payload,
  collection: Collection,
  path: readonly string[],
  context: WriteContext,
): WriteNode {
  if (collection.isReadOnly) throw invalidPayload(`The items of "${collection.name}" can only be read`)
  const key = keyIn(payload, collection)
  if (key === null) return bindCreate(payload, collection, path, context)
  const names = new Set(collection.key.map(({ name }) => name))
  if (Object.keys(payload).every((name) => names.has(name)) && !callerMakesKey(collection))
    return linkNode(joined(key), collection, path, context)
  return callerMakesKey(collection)
    ? bindSave(key, payload, collection, path, context)
    : bindUpdate(key, payload, collection, path, context)
}

const joined = (key: readonly string[]): string =>
  key.length === 1 ? (key[0] ?? '') : key.map(encodeURIComponent).join(',')

/** Nobody but the caller can know the key of a new row. */
export const callerMakesKey = ({ key }: Collection): boolean =>
  key.some(
    ({ column, specials, relation }) =>
      column.defaultExpression === null && column.identity === null && !specials.includes('uuid') && relation === null,
  )

/** Many-to-any: the sibling column says which collection the item is of; an entry that exists knows it by itself. */
function bindToAny(node: WriteNode, field: ColumnField, payload: Payload, value: Payload, context: WriteContext): void {
  const { relation } = field
  if (relation?.kind !== 'any') return
  const name = payload[relation.collectionColumn]
  if (typeof name !== 'string') {
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
  value: Payload,
  context: WriteContext,
): void {
  const { relation } = field
  if (relation?.kind !== 'any') return
  if (!relation.allowed.includes(collectionName))
    throw invalidPayload(`"${field.name}" can't be linked to collection "${collectionName}"`)
  const child = bindNested(value, collectionOf(collectionName, context), [...node.path, field.name], context)
  const [key, ...others] = child.collection.key
  if (key === undefined || others.length > 0) throw invalidPayload(`"${collectionName}" has no key of one column`)
  node.values.set(field.name, { kind: 'taken', node: child, column: key.name })
}

/** To-many relations of a row that is written itself. */
function bindChildren(node: WriteNode, payload: Payload, context: WriteContext): void {
  for (const name of Object.keys(payload)) {
    const field = fieldOf(name, node.collection)
    if (field.kind === 'column') continue
    if (field.relation?.kind === 'many') bindToMany(node, field, field.relation, payload[name], context)
    if (field.relation?.kind === 'through') bindThrough(node, field, field.relation, payload[name], context)
  }
}

interface Changes {
  readonly create: readonly Payload[]
  readonly update: readonly Payload[]
  /** Keys of what stays or joins without change. */
  readonly assign: readonly unknown[]
  readonly remove: { readonly kind: 'others' } | { readonly kind: 'named'; readonly keys: readonly unknown[] } | null
  /** The detailed form continues the order of the children. */
  readonly isDetailed: boolean
}

/** A row that is being made has no children that could leave. */
const hasNone = ({ action }: WriteNode, { remove }: Changes) => action === 'create' && remove?.kind === 'others'

const detailedKeys = new Set(['create', 'update', 'delete'])

/** Both payload forms as one. `null` empties the relation. */
function changesOf(value: unknown, name: string, to: Collection): Changes {
  if (value === null || value === '' || value === false)
    return { create: [], update: [], assign: [], remove: { kind: 'others' }, isDetailed: false }
  if (Array.isArray(value)) {
    const objects = value.filter(isObject)
    const isKeyObject = (entry: Payload) => keyIn(entry, to) !== null
    return {
      create: objects.filter((entry) => !isKeyObject(entry)),
      update: objects.filter(isKeyObject),
      assign: value.filter((entry) => !isObject(entry)),
      remove: { kind: 'others' },
      isDetailed: false,
    }
  }
  if (!isObject(value)) throw invalidPayload(`"${name}" has to be a list, or an object with create, update and delete`)
  for (const key of Object.keys(value))
    if (!detailedKeys.has(key))
      throw invalidPayload(`"${key}" is not known in "${name}"; there are create, update and delete`)
  const objects = (key: string): Payload[] => {
    const list: unknown = value[key] ?? []
    if (!Array.isArray(list) || !list.every(isObject))
      throw invalidPayload(`"${name}.${key}" has to be a list of objects`)
    return list
  }
  const keys: unknown = value['delete'] ?? []
  if (!Array.isArray(keys)) throw invalidPayload(`"${name}.delete" has to be a list of keys`)
  return {
    create: objects('create'),
    update: objects('update'),
    assign: [],
    remove: keys.length === 0 ? null : { kind: 'named', keys },
    isDetailed: true,
  }
}

function bindToMany(node: WriteNode, field: Field, relation: ToMany, value: unknown, context: WriteContext): void {
  const to = collectionOf(relation.to, context)
  const path = [...node.path, field.name]
  if (to.isReadOnly) throw invalidPayload(`The items of "${to.name}" can only be read`)
  const changes = changesOf(value, field.name, to)
  const list: ChildList = { collection: to, columns: relation.toColumns, parentColumns: relation.columns }
  const attach = (child: WriteNode) => {
    for (const [index, column] of relation.toColumns.entries()) {
      child.values.set(column, { kind: 'taken', node, column: relation.columns[index] ?? column })
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
    bindColumns(child, payloadWithoutParent, context)
    bindChildren(child, payloadWithoutParent, context)
    return attach(child)
  })
  const updated = changes.update.map((payload) => {
    const key = keyIn(payload, to)
    if (key === null) throw invalidPayload(`Each entry of "${field.name}.update" needs its key`)
    const data = without(payload, relation.toColumns)
    return attach(
      callerMakesKey(to) ? bindSave(key, data, to, path, context) : bindUpdate(key, data, to, path, context),
    )
  })
  const assigned = changes.assign.map((key) =>
    attach(addNode({ collection: to, action: 'update', key: keyParts(key, to), path }, context)),
  )
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

import { forbidden, ServiceError } from '@tain/contract'
import type { WriteNode, WriteTree } from '../query/bound-write.ts'
import type { Payload } from '../query/mutation.ts'
import { noCollection, noField } from '../query/resolve.ts'
import { isVariable, resolveVariable, type Variables } from '../query/variables.ts'
import type { Collection } from '../schema/schema.ts'
import type { Actor } from './actor.ts'
import { authorize, type Authorized } from './authorized.ts'
import { evaluate, type Broken, type Reading } from './evaluate.ts'
import { grantFor, isForAllRows, type Access, type Grant } from './grants.ts'
import type { Action } from './permissions.ts'
import { variablesOf } from './simplify-rule.ts'

export type WriteAction = 'create' | 'update'

/** Actions that a payload node may perform on its table. Linking performs none: it only needs to see the row. */
const actions: Readonly<Record<WriteNode['action'], readonly WriteAction[]>> = {
  create: ['create'],
  update: ['update'],
  save: ['create', 'update'],
  join: ['create'],
  link: [],
}

export function authorizeCollection(collection: Collection, action: Action, actor: Actor): Authorized<Collection> {
  if (!actor.may(action, collection)) throw noCollection(collection.name)
  if (collection.isReadOnly)
    throw new ServiceError('UNPROCESSABLE_CONTENT', `The items of "${collection.name}" can only be read.`)
  return authorize(collection)
}

/** The caller did not name the collection of a nested row, so the error does not reveal it. */
const noRoot = ({ collection, path }: WriteNode) => (path.length === 0 ? noCollection(collection.name) : forbidden())

/** Checks the permissions that need no rows. Permissions on existing rows are checked once the rows are locked. */
export function authorizeTree(tree: WriteTree, actor: Actor): Authorized<WriteTree> {
  for (const node of tree.nodes) authorizeNode(node, actor)
  return authorize(tree)
}

/** Checks the permissions that need no rows: on the collection, and on the fields of created rows. */
function authorizeNode(node: WriteNode, actor: Actor): void {
  const { action, collection } = node
  const may = (needed: Action) => actor.may(needed, collection)
  if (action === 'save') {
    // A nested row that is only referenced may already exist; then it only has to be visible.
    const isNamed = node.path.length > 0 && node.sent.size === 0 && may('read')
    if (!isNamed && !may('create') && !may('update')) throw noRoot(node)
  } else if (action === 'update' && node.isLate) {
    // A list row that is only referenced: whether it changes is known after it has been looked up.
    if (!may('read') && !may('update')) throw noRoot(node)
  } else {
    if (!actions[action].every(may)) throw noRoot(node)
    for (const needed of actions[action]) authorizeCollection(collection, needed, actor)
  }
  if (action === 'link' && !may('read')) throw noRoot(node)
  if (action === 'create' || action === 'join') authorizeCreate(node, actor)
}

/** The caller needs create permission for every field that it sends, the key included. */
export function authorizeCreate(node: WriteNode, actor: Actor): Authorized<WriteNode> {
  const { sent, key } = node
  const collection = authorizeCollection(node.collection, 'create', actor)
  const fields = actor.fieldsFor(collection, 'create')
  if (fields === 'all') return authorize(node)
  const own = key === null ? [] : collection.key.map(({ name }) => name)
  for (const name of [...sent, ...own]) if (!fields.has(name)) throw noField(name, collection.name)
  return authorize(node)
}

/** Whether the caller may know that a field exists: the caller can read or write it. */
export const knowsField = (actor: Actor, collection: Collection, field: string): boolean =>
  (['read', 'create', 'update'] as const).some((action) => {
    const fields = actor.fieldsFor(collection, action)
    return fields === 'all' || fields.has(field)
  })

/** Whether the caller may read or write every column of a collection. */
export const knowsEveryField = (actor: Actor, collection: Collection): boolean =>
  [...collection.columns.keys()].every((name) => knowsField(actor, collection, name))

/** Fields that a payload may contain, one entry per action that its row may need. */
export const namedFields = (
  action: WriteNode['action'],
  collection: Collection,
  actor: Actor,
): ('all' | ReadonlySet<string>)[] => actions[action].map((needed) => actor.fieldsFor(collection, needed))

/** Preset values for fields that the caller did not send; later policies override earlier ones. */
export function presetsFor(action: WriteAction, collection: Collection, actor: Actor): Payload {
  const permissions = actor.permissionsFor(collection, action)
  if (permissions.every(({ presets }) => presets === null)) return nothing
  const variables = variablesOf(actor, new Date())
  const merged = Object.assign({}, ...permissions.map(({ presets }) => presets ?? {})) as Payload
  return Object.fromEntries(Object.entries(merged).map(([name, value]) => [name, resolved(value, variables)]))
}

const nothing: Payload = Object.freeze({})

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

function resolved(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string' && Object.hasOwn(words, value)) return words[value]
  if (Array.isArray(value)) return value.map((entry) => resolved(entry, variables))
  if (typeof value !== 'object' || value === null) return resolveVariable(value, variables)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner, variables)]))
}

/** Values to be written to a row, and its fields whose values come from rows that are not written yet. */
export interface Written {
  readonly values: Payload
  readonly pending: ReadonlySet<string>
}

/** The validations of all permissions have to hold. */
export function brokenValidations(
  action: WriteAction,
  collection: Collection,
  { values, pending }: Written,
  actor: Actor,
): Broken[] {
  const variables = variablesOf(actor, new Date())
  const resolve = (operand: unknown): unknown => {
    const value = Array.isArray(operand)
      ? operand.flatMap((entry) => resolved(entry, variables) as unknown[])
      : resolved(operand, variables)
    const isOpen = (entry: unknown) => isVariable(entry) && isEmpty(resolveVariable(entry, variables))
    return isOpen(operand) || (Array.isArray(operand) && operand.some(isOpen)) ? undefined : value
  }
  const reading: Reading = {
    resolve,
    isLiteral: (operand) => !hasVariable(operand),
    isStrict: true,
    // Fields that are not sent have unknown values in a new row; an existing row keeps its values.
    asks: action === 'create' ? 'everything' : 'written',
    pending,
    isField: (name) => collection.columns.has(name),
  }
  return actor.permissionsFor(collection, action).flatMap(({ validation }) => evaluate(validation, values, reading))
}

const hasVariable = (operand: unknown): boolean =>
  Array.isArray(operand) ? operand.some(hasVariable) : typeof operand === 'string' && operand.startsWith('$')

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) && (value.length === 0 || value.some((entry) => entry === null)))

/** The rules for existing rows; null: no restrictions, because the caller is an administrator. */
export function rulesFor(action: Action, collection: Collection, access: Access): Grant | null {
  if (access.actor.isAdmin) return null
  const grant = grantFor(action, collection, access)
  if (grant === null) throw forbidden()
  return grant
}

/** Whether rows that the caller references have to be checked for visibility. */
export const mustSee = (collection: Collection, actor: Actor): boolean =>
  !actor.isAdmin && !actor.permissionsFor(collection, 'read').some(({ rule }) => isForAllRows(rule))

import { forbidden, ServiceError } from '@tain/contract'
import type { WriteNode } from '../query/bound-write.ts'
import type { Payload } from '../query/mutation.ts'
import { noCollection, noField } from '../query/resolve.ts'
import { isVariable, resolveVariable, type Variables } from '../query/variables.ts'
import type { Collection } from '../schema/schema.ts'
import type { Actor } from './actor.ts'
import { evaluate, type Broken, type Reading } from './evaluate.ts'
import { grantFor, isForAllRows, type Access, type Grant } from './grants.ts'
import type { Action } from './permissions.ts'
import { variablesOf } from './simplify-rule.ts'

export type WriteAction = 'create' | 'update'

/** What a node of a payload may turn out to do to its table; linking needs to see the row, nothing more. */
const actions: Readonly<Record<WriteNode['action'], readonly WriteAction[]>> = {
  create: ['create'],
  update: ['update'],
  save: ['create', 'update'],
  join: ['create'],
  link: [],
}

export function authorizeCollection(collection: Collection, action: Action, actor: Actor): void {
  if (!actor.may(action, collection)) throw noCollection(collection.name)
  if (collection.isReadOnly)
    throw new ServiceError('UNPROCESSABLE_CONTENT', `The items of "${collection.name}" can only be read.`)
}

/** The collection of a nested row is one that the caller has not named: it is not told. */
const noRoot = ({ collection, path }: WriteNode) => (path.length === 0 ? noCollection(collection.name) : forbidden())

/** Rights that can be decided before any row is looked at: on the collection, and on fields of what is created. */
export function authorizeNode(node: WriteNode, actor: Actor): void {
  const { action, collection } = node
  const may = (needed: Action) => actor.may(needed, collection)
  if (action === 'save') {
    // What is only named may turn out to be there, and then it has to be seen and nothing more.
    const isNamed = node.path.length > 0 && node.sent.size === 0 && may('read')
    if (!isNamed && !may('create') && !may('update')) throw noRoot(node)
  } else if (action === 'update' && node.isLate) {
    // A row of a list that is only named: whether it changes is known once it was looked for.
    if (!may('read') && !may('update')) throw noRoot(node)
  } else {
    if (!actions[action].every(may)) throw noRoot(node)
    for (const needed of actions[action]) authorizeCollection(collection, needed, actor)
  }
  if (action === 'link' && !may('read')) throw noRoot(node)
  if (action === 'create' || action === 'join') authorizeCreate(node, actor)
}

/** Each field that is sent has to be open to who creates. */
export function authorizeCreate({ collection, sent, key }: WriteNode, actor: Actor): void {
  authorizeCollection(collection, 'create', actor)
  const fields = actor.fieldsFor(collection, 'create')
  if (fields === 'all') return
  const own = key === null ? [] : collection.key.map(({ name }) => name)
  for (const name of [...sent, ...own]) if (!fields.has(name)) throw noField(name, collection.name)
}

/** Whether somebody could know of a field: they may read it, or write it. */
export const knowsField = (actor: Actor, collection: Collection, field: string): boolean =>
  (['read', 'create', 'update'] as const).some((action) => {
    const fields = actor.fieldsFor(collection, action)
    return fields === 'all' || fields.has(field)
  })

/** Whether somebody may use every column of a collection, for one action or another. */
export const knowsEveryField = (actor: Actor, collection: Collection): boolean =>
  [...collection.columns.keys()].every((name) => knowsField(actor, collection, name))

/** Fields that a payload may name, for each action its row may turn out to need. */
export const namedFields = (
  action: WriteNode['action'],
  collection: Collection,
  actor: Actor,
): ('all' | ReadonlySet<string>)[] => actions[action].map((needed) => actor.fieldsFor(collection, needed))

/** What permissions put where the caller sent nothing; later policies over earlier ones. */
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

/** Values that a row is about to have, and its fields whose values come from rows that are still to be written. */
export interface Written {
  readonly values: Payload
  readonly pending: ReadonlySet<string>
}

/** All rules on what is written have to hold, those of every permission. */
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
    // What a new row is not given is anything; a row that is there keeps what it has.
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

/** The rules that decide on rows that exist; null: everybody may. */
export function rulesFor(action: Action, collection: Collection, access: Access): Grant | null {
  if (access.actor.isAdmin) return null
  const grant = grantFor(action, collection, access)
  if (grant === null) throw forbidden()
  return grant
}

/** Whether a row the caller names without reading it has to be checked for being visible. */
export const mustSee = (collection: Collection, actor: Actor): boolean =>
  !actor.isAdmin && !actor.permissionsFor(collection, 'read').some(({ rule }) => isForAllRows(rule))

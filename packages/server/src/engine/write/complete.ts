import { randomUUID } from 'node:crypto'
import { ServiceError, ServiceErrors, type Special } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { brokenValidations, knowsField, type WriteAction, type Written } from '../../access/authorize-write.ts'
import { evaluate, lenient, type Broken } from '../../access/evaluate.ts'
import { hashText } from '../../lib/argon2.ts'
import type { Removal, WriteNode, WriteTree } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'

interface Filling {
  readonly actor: Actor
  readonly now: string
}

interface Filler {
  readonly create?: (filling: Filling) => string | null
  /** Whether a new row gets the value; by default it does. */
  readonly isFor?: (field: ColumnField, collection: Collection) => boolean
  readonly update?: (filling: Filling) => string | null
  /** A value sent by the caller wins. */
  readonly keepsSent: boolean
}

/** Values that special flags generate on create and on update. */
const fillers: Partial<Record<Special, Filler>> = {
  uuid: { create: () => randomUUID(), keepsSent: true },
  'date-created': { create: ({ now }) => now, keepsSent: false },
  // The service's own columns that are never null have the moment of the creation. The database's default is another.
  'date-updated': {
    create: ({ now }) => now,
    isFor: ({ column }, { isSystem }) => isSystem && !column.isNullable,
    update: ({ now }) => now,
    keepsSent: false,
  },
  'user-created': { create: ({ actor }) => actor.user, keepsSent: false },
  'user-updated': { update: ({ actor }) => actor.user, keepsSent: false },
  'role-created': { create: ({ actor }) => actor.role, keepsSent: false },
  'role-updated': { update: ({ actor }) => actor.role, keepsSent: false },
}

type IsPostponed = (collection: Collection) => boolean

const never: IsPostponed = () => false

/**
 * Fills in generated values and validates the rows. Reports all problems at once. Rows that filters will see are
 * validated after them.
 */
export function completeTree(
  { nodes }: Pick<WriteTree, 'nodes'>,
  actor: Actor,
  isPostponed: IsPostponed = never,
): void {
  const filling: Filling = { actor, now: new Date().toISOString() }
  const problems: ServiceError[] = []
  for (const node of nodes) {
    if (node.action === 'link') continue
    if (node.action !== 'join') {
      fill(node, filling)
      if (isPostponed(node.collection)) continue
      problems.push(...problemsOf(node, actor), ...brokenRules(node))
    }
    if (!node.isLate && !isPostponed(node.collection))
      problems.push(...brokenPermissions(node, node.action === 'update' ? 'update' : 'create', actor, writtenBy(node)))
  }
  throwAll(problems)
}

/** Checks rules on keys from other rows of the payload, which are known only after those rows are written. */
export function completeKeys(node: WriteNode, action: WriteAction, keys: Values, actor: Actor): void {
  const values = { ...sentValues(node), ...keys }
  throwAll([...brokenRules(node, values), ...brokenPermissions(node, action, actor, { values, pending: nothing })])
}

export function completeSave(node: WriteNode, action: WriteAction, actor: Actor): void {
  throwAll(brokenPermissions(node, action, actor, writtenBy(node)))
}

function throwAll(problems: readonly ServiceError[]): void {
  const [only] = problems
  if (problems.length === 1 && only !== undefined) throw only
  if (problems.length > 1) throw new ServiceErrors(problems)
}

function fill(node: WriteNode, filling: Filling): void {
  const isNew = node.action === 'create' || node.action === 'save'
  // A row that is only assigned to a parent, or only contains nested rows, is not changed itself.
  if (!isNew && node.values.size === 0) return
  for (const field of node.collection.columns.values()) {
    for (const flag of field.specials) {
      const filler = fillers[flag]
      const make = isNew ? filler?.create : filler?.update
      if (filler === undefined || make === undefined) continue
      if (isNew && filler.isFor?.(field, node.collection) === false) continue
      const sent = node.values.get(field.name)
      if (filler.keepsSent && sent !== undefined && !(sent.kind === 'given' && sent.json === 'null')) continue
      node.values.set(field.name, { kind: 'given', json: JSON.stringify(make(filling)) })
    }
  }
}

function failed({ name }: ColumnField, node: WriteNode, type: 'required' | 'nnull', actor: Actor): ServiceError {
  const what = type === 'required' ? 'Value is required.' : "Value can't be null."
  const place = placeOf(node)
  if (knowsField(actor, node.collection, name))
    return new ServiceError('FAILED_VALIDATION', `Validation failed for field "${name}". ${what}`, {
      field: name,
      ...place,
      type,
    })
  const words = 'Validation failed. A field that you may not write needs a value.'
  return new ServiceError('FAILED_VALIDATION', words, { field: null, ...place, type })
}

type Place = Pick<WriteNode, 'path' | 'row'>

/** The place of a row in the request: the relations to it, and the position in a list. */
const placeOf = ({ path, row }: Place) => ({ path: [...path], ...(row === null ? {} : { row }) })

/** Whether the column needs a value because the database does not generate one. */
export const isRequired = ({ column }: ColumnField): boolean =>
  !column.isNullable &&
  column.defaultExpression === null &&
  column.identity === null &&
  column.generationExpression === null

/** An insert trigger can fill any column. */
export const isOptional = (field: ColumnField, { hasInsertTrigger }: Collection): boolean =>
  hasInsertTrigger || !isRequired(field)

export function problemsOf(node: WriteNode, actor: Actor): ServiceError[] {
  const { collection } = node
  // Only the database knows whether an insert trigger replaces a null value.
  const isOpen = collection.hasInsertTrigger && (node.action === 'create' || node.action === 'save')
  return [...collection.columns.values()].flatMap((field) => {
    const value = node.values.get(field.name)
    if (value?.kind === 'given' && value.json === 'null' && !field.column.isNullable && !isOpen)
      return [failed(field, node, 'nnull', actor)]
    const isMissing = value === undefined && node.action === 'create' && node.order?.field !== field
    if (isMissing && !isOptional(field, collection)) return [failed(field, node, 'required', actor)]
    return []
  })
}

type Values = Readonly<Record<string, unknown>>

/** Values of a node that are known before any write, in the form that field rules evaluate. */
const sentValues = ({ values }: WriteNode): Values =>
  Object.fromEntries(
    [...values].flatMap(([name, value]) => (value.kind === 'given' ? [[name, JSON.parse(value.json) as unknown]] : [])),
  )

const nothing: ReadonlySet<string> = new Set()

const writtenBy = (node: WriteNode): Written => ({
  values: sentValues(node),
  pending: new Set([
    ...[...node.values].flatMap(([name, { kind }]) => (kind === 'taken' ? [name] : [])),
    ...(node.unknown ?? nothing),
  ]),
})

/** Violations of the validation rules in field metadata. */
function brokenRules(node: WriteNode, given?: Values): ServiceError[] {
  const ruled = [...node.collection.columns.values()].filter(
    ({ name, meta }) => meta?.validation && node.values.has(name),
  )
  if (ruled.length === 0) return []
  const values = given ?? sentValues(node)
  const { pending } = given === undefined ? writtenBy(node) : { pending: nothing }
  const isField = (name: string) => node.collection.columns.has(name)
  return ruled.flatMap(({ meta }) =>
    evaluate(meta?.validation, values, { ...lenient, pending, isField }).map((broken) =>
      notValid(broken, node, meta?.validation_message),
    ),
  )
}

function notValid({ field, operator, operand }: Broken, place: Place, message?: string | null): ServiceError {
  const words = field === null ? 'Validation failed.' : `Validation failed for field "${field}".`
  return new ServiceError('FAILED_VALIDATION', message ?? words, {
    field,
    ...placeOf(place),
    type: operator.replace(/^_/u, ''),
    ...(operand === undefined ? {} : { valid: operand }),
  })
}

/** Checks permission rules on the foreign key that becomes null when rows leave a list. */
export function completeEmptied(removal: Removal, actor: Actor): void {
  const { collection, columns } = removal.list
  const emptied = Object.fromEntries(columns.map((name) => [name, null]))
  const written = { values: emptied, pending: nothing }
  throwAll(brokenPermissions({ collection, path: removal.path, row: removal.parent.row }, 'update', actor, written))
}

/** Violations of the validation rules in the caller's permissions. */
function brokenPermissions(
  { collection, path, row }: Pick<WriteNode, 'collection'> & Place,
  action: WriteAction,
  actor: Actor,
  written: Written,
): ServiceError[] {
  if (actor.isAdmin) return []
  return brokenValidations(action, collection, written, actor).map(({ field, operator, operand }) =>
    field === null || !knowsField(actor, collection, field)
      ? notValid({ field: null, operator: 'rule', operand: undefined }, { path, row })
      : notValid({ field, operator, operand }, { path, row }),
  )
}

export const hasHashes = ({ columns }: Collection): boolean =>
  [...columns.values()].some(({ specials }) => specials.includes('hash'))

/** Hashes values so that the database never gets them in plain text. Empty values stay unchanged. */
export async function hashTree({ nodes }: Pick<WriteTree, 'nodes'>, isPostponed: IsPostponed = never): Promise<void> {
  for (const node of nodes) {
    if (isPostponed(node.collection)) continue
    for (const { name, specials } of node.collection.columns.values()) {
      const value = node.values.get(name)
      if (!specials.includes('hash') || value?.kind !== 'given') continue
      const text: unknown = JSON.parse(value.json)
      if (typeof text === 'string' && text !== '')
        node.values.set(name, { kind: 'given', json: JSON.stringify(await hashText(text)) })
    }
  }
}

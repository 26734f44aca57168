import { forbidden, invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import { deliveries, webhooks } from '@tain/contract/collections'
import { knowsField } from '../../access/authorize-write.ts'
import { filterProblem, shapeProblem, writtenProblem } from '../../access/rule-problems.ts'
import { unknownName } from '../../access/unknown-names.ts'
import { actions, type Permission } from '../../access/permissions.ts'
import type { ChangedRow } from '../../changes/change.ts'
import type { Guard, GuardContext } from '../../engine/write/guards.ts'
import { UnknownNameError } from '../../engine/write/unknown-name.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import type { Spend } from '../../query/cost.ts'
import { parseFilter } from '../../query/parse-filter.ts'
import { ruleConstants } from '../../query/values.ts'
import { replace, sent } from './sent.ts'
import { deltaOf } from './users.ts'

const LIMITS = { depth: 50, jsonDepth: 50, listLength: 100_000 }

/** Permissions may only name what exists: the collection, fields and variables. */
export const permissionGuard: Guard = {
  permissionFields: 'all',

  async before(nodes) {
    for (const node of nodes) {
      checkAction(node)
      checkFields(node)
      checkRule(node)
      checkValidation(sent(node, 'validation'))
      checkPresets(node)
    }
  },

  /**
   * Runs after the write, when the collection of each permission is known: an update may send only the rule or only the
   * collection.
   */
  async after(changes, context) {
    const ids = new Set(changes.filter(bearsOnRules).map(({ key }) => key[0]))
    if (ids.size === 0) return
    const { policies } = await context.permissionModel()
    for (const { permissions } of policies.values())
      for (const permission of permissions) if (ids.has(String(permission.id))) checkNames(permission, context)
  },
}

const ruleColumns = new Set(['collection', 'permissions', 'validation', 'presets', 'fields'])

const bearsOnRules = (change: ChangedRow): boolean =>
  change.action === 'create' ||
  (change.action === 'update' && Object.keys(deltaOf(change)).some((name) => ruleColumns.has(name)))

function checkNames(permission: Permission, { actor, schema }: GuardContext): void {
  const collection = schema.collections.get(permission.collection)
  const problem =
    collection === undefined
      ? null
      : actor.isAdmin
        ? (filterProblem(permission.rule, collection, schema) ?? writtenProblem(permission, collection))
        : // Callers must not learn which hidden fields exist; `checkPermissions` checks their filters.
          writtenProblem(permission, collection, (name) => knowsField(actor, collection, name))
  // Other callers may know only some fields. They get the same error for a hidden and for a missing name.
  const found = problem ?? unknownName(permission, schema)
  if (found === null) return
  const { code, message, details } = actor.isAdmin ? invalidPayload(found) : forbidden()
  throw new UnknownNameError(code, message, details)
}

/** Collections that only administrators read and write. */
const administrators: ReadonlySet<string> = new Set([webhooks.name, deliveries.name])

function checkAction(node: WriteNode): void {
  const action = sent(node, 'action')
  if (action !== undefined && !actions.some((each) => each === action))
    throw invalidPayload(`"action" has to be one of ${actions.join(', ')}`)
  if (administrators.has(String(sent(node, 'collection'))))
    throw invalidPayload('Webhooks and their deliveries are for administrators, whatever permissions say')
  if (sent(node, 'collection') === '') throw invalidPayload('"collection" has to be the name of a collection')
}

function checkFields(node: WriteNode): void {
  const value = sent(node, 'fields')
  if (value === undefined || value === null) return
  const fields = typeof value === 'string' ? value.split(',').filter((name) => name !== '') : value
  if (!Array.isArray(fields) || !fields.every((name) => typeof name === 'string'))
    throw invalidPayload('"fields" has to be a list of names; "*" stands for all')
  replace(node, 'fields', fields)
}

const checkRule = (node: WriteNode): void => checkFilter(sent(node, 'permissions'))

export function checkFilter(rule: unknown): void {
  if (rule === undefined || rule === null) return
  try {
    parseFilter(rule, { ...ruleConstants, spend: countConditions() }, LIMITS)
  } catch (error) {
    throw error instanceof ServiceError ? invalidPayload(`"permissions" is no filter: ${error.message}`) : error
  }
}

/** A rule becomes part of every statement that it applies to. */
const MOST_CONDITIONS = 1000

function countConditions(): Spend {
  let left = MOST_CONDITIONS
  return (kind, amount) => {
    if (kind === 'conditions') left -= amount
    if (left < 0) throw invalidQuery(`It has more than ${MOST_CONDITIONS} conditions`)
  }
}

export function checkValidation(rule: unknown): void {
  const problem = shapeProblem(rule)
  if (problem !== null) throw invalidPayload(problem)
}

function checkPresets(node: WriteNode): void {
  const presets = sent(node, 'presets')
  if (presets === undefined || presets === null) return
  if (typeof presets !== 'object' || Array.isArray(presets))
    throw invalidPayload('"presets" has to be an object of fields and their values')
}

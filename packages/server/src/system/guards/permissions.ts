import { forbidden, invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import { knowsField } from '../../access/authorize-write.ts'
import { absentNames, filterProblem, shapeProblem, writtenProblem } from '../../access/rule-problems.ts'
import { actions, type Permission } from '../../access/permissions.ts'
import type { Change } from '../../engine/write/change.ts'
import type { Guard, GuardContext } from '../../engine/write/guards.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import type { Spend } from '../../query/cost.ts'
import { parseFilter } from '../../query/parse-filter.ts'
import { ruleConstants } from '../../query/values.ts'
import { replace, sent } from './sent.ts'
import { deltaOf } from './users.ts'

const LIMITS = { depth: 50, jsonDepth: 50, listLength: 100_000 }

/** Rules name what is there. A collection, and fields of a list, need not be there yet. */
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

  /** Once it is known which collection a permission is of: an update may send one of the two alone. */
  async after(changes, context) {
    const ids = new Set(changes.filter(bearsOnRules).map(({ key }) => key[0]))
    if (ids.size === 0) return
    const { policies } = await context.permissionModel()
    for (const { permissions } of policies.values())
      for (const permission of permissions) if (ids.has(String(permission.id))) checkNames(permission, context)
  },
}

const ruleColumns = new Set(['collection', 'permissions', 'validation', 'presets', 'fields'])

const bearsOnRules = (change: Change): boolean =>
  change.kind === 'create' ||
  (change.kind === 'update' && Object.keys(deltaOf(change)).some((name) => ruleColumns.has(name)))

function checkNames(permission: Permission, { actor, schema, observe }: GuardContext): void {
  const collection = schema.collections.get(permission.collection)
  const problem =
    collection === undefined
      ? null
      : actor.isAdmin
        ? (filterProblem(permission.rule, collection, schema) ?? writtenProblem(permission, collection))
        : // Whether there is a field that the caller may not know of is not told; their filters are looked at with the rights.
          writtenProblem(permission, collection, (name) => knowsField(actor, collection, name))
  // Others may know of some fields only, and are answered alike whether a name is hidden or missing.
  if (problem !== null) throw actor.isAdmin ? invalidPayload(problem) : forbidden()
  const names = absentNames(permission, schema)
  if (names.length > 0) observe({ kind: 'permission-idle', permission: permission.id, names })
}

function checkAction(node: WriteNode): void {
  const action = sent(node, 'action')
  if (action !== undefined && !actions.some((each) => each === action))
    throw invalidPayload(`"action" has to be one of ${actions.join(', ')}`)
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

/** A rule is part of every statement that it counts for. */
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

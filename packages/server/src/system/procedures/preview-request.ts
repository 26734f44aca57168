import { invalidPayload } from '@tain/contract'
import { previewLimits } from '@tain/contract/schemas'
import type { PermissionChange } from '../../access/changed-permissions.ts'
import { actions, type Action } from '../../access/permissions.ts'
import { ruleProblem } from '../../access/rule-problems.ts'
import { isUuid } from '../../lib/uuid.ts'
import type { Schema } from '../../schema/schema.ts'
import { checkFilter, checkValidation } from '../guards/permissions.ts'
import { isBody, type Body } from '../metadata.ts'

/** What to preview: the rows of a collection that an action is allowed for, before and after some changes. */
interface PreviewRequest {
  readonly user: string | null
  readonly collection: string
  readonly action: Action
  readonly changes: readonly Body[]
  readonly countUpTo: number
  readonly limit: number
}

function bodyOf(value: unknown, known: readonly string[], what: string): Body {
  if (!isBody(value)) throw invalidPayload(`${what} has to be an object`)
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw invalidPayload(`"${unknown.slice(0, 64)}" is not allowed; ${what} has ${known.join(', ')}`)
  return value
}

export function previewRequest(request: unknown): PreviewRequest {
  const known = ['user', 'collection', 'action', 'changes', 'count_up_to', 'limit']
  const { user = null, collection, action, changes, count_up_to: most, limit } = bodyOf(request, known, 'A preview')
  if (user !== null && !isUuid(user)) throw invalidPayload('"user" has to be the key of a user, or null for the public')
  if (typeof collection !== 'string') throw invalidPayload('"collection" has to be the name of a collection')
  if (!Array.isArray(changes)) throw invalidPayload('"changes" has to be a list of permissions')
  return {
    user,
    collection,
    action: actionOf(action),
    changes: changes.map((change: unknown) => bodyOf(change, changeNames, 'A change')),
    countUpTo: wholeNumber(most ?? 10_000, 'count_up_to', 1, previewLimits.counted),
    limit: wholeNumber(limit ?? 10, 'limit', 0, previewLimits.shown),
  }
}

function actionOf(value: unknown): Action {
  const found = actions.find((action) => action === value)
  if (found === undefined) throw invalidPayload(`"action" has to be one of ${actions.join(', ')}`)
  return found
}

function wholeNumber(value: unknown, name: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw invalidPayload(`"${name}" has to be a whole number from ${least} to ${most}`)
}

const changeNames = ['id', 'delete', 'policy', 'collection', 'action', 'permissions', 'validation', 'presets', 'fields']

/** A permission that could be saved, or the deletion of one. */
export function plannedChange(change: Body, schema: Schema): PermissionChange {
  const id = change['id'] === undefined || change['id'] === null ? null : wholeNumber(change['id'], 'id', 1, Infinity)
  if (change['delete'] === true) {
    if (id === null) throw invalidPayload('A permission to delete needs its "id"')
    return { kind: 'delete', id }
  }
  const { policy, collection: name, permissions: rule = null, validation = null, presets = null, fields = [] } = change
  if (typeof policy !== 'string' || typeof name !== 'string')
    throw invalidPayload('A permission needs "policy", "collection" and "action"')
  if (!Array.isArray(fields) || !fields.every((field) => typeof field === 'string'))
    throw invalidPayload('"fields" has to be a list of names; "*" stands for all')
  if (presets !== null && !isBody(presets)) throw invalidPayload('"presets" has to be an object of fields and values')
  checkFilter(rule)
  checkValidation(validation)
  const permission = {
    id,
    policy: policy.toLowerCase(),
    collection: name,
    action: actionOf(change['action']),
    rule,
    validation,
    presets,
    fields: fields.includes('*') ? ('all' as const) : new Set<string>(fields),
  }
  const collection = schema.collections.get(name)
  const problem = collection === undefined ? null : ruleProblem(permission, collection, schema)
  if (problem !== null) throw invalidPayload(problem)
  return { kind: 'put', permission }
}

import { bindFilter } from '../query/bind-filter.ts'
import { parseFilter } from '../query/parse-filter.ts'
import type { Visibility } from '../query/resolve.ts'
import { ruleConstants } from '../query/values.ts'
import { isPathVariable } from '../query/variables.ts'
import type { Schema } from '../schema/schema.ts'
import { isOpen, same } from './escalation.ts'
import type { Permission } from './permissions.ts'

const LIMITS = { depth: 50, jsonDepth: 50, listLength: Number.MAX_SAFE_INTEGER }

/**
 * Rules are evaluated with full visibility, so their author learns about stored rows from what a rule lets through. A
 * permission may therefore test only what its author can read in every row, unless the author has the same condition.
 */
export function looksNoFurther(wanted: Permission, held: readonly Permission[], schema: Schema): boolean {
  const { rule, validation, presets } = wanted
  const alike = held.filter(({ collection, action }) => collection === wanted.collection && action === wanted.action)
  const isHeldAlready = (part: 'rule' | 'validation') => alike.some((each) => same(each[part], wanted[part]))
  if (!isHeldAlready('rule') && (hasPath(rule) || !isReadable(rule, wanted.collection, held, schema))) return false
  if (!isHeldAlready('validation') && hasPath(validation)) return false
  return Object.entries(presets ?? {}).every(
    ([name, value]) => !hasPath(value) || alike.some((each) => same(each.presets?.[name], value)),
  )
}

/** Variables with a path are read with the service's own permissions. */
function hasPath(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasPath)
  return isPathVariable(value)
}

function isReadable(rule: unknown, name: string, held: readonly Permission[], schema: Schema): boolean {
  if (isOpen(rule)) return true
  const collection = schema.collections.get(name)
  if (collection === undefined) return false
  try {
    const filter = parseFilter(rule, ruleConstants, LIMITS)
    if (filter !== null)
      bindFilter(filter, collection, { schema, visibility: fullVisibility(held), at: 'root', limitDefault: 0 })
    return true
  } catch {
    return false
  }
}

/** The collections and fields that the caller can read in every row. */
function fullVisibility(held: readonly Permission[]): Visibility {
  const open = held.filter(({ action, rule }) => action === 'read' && isOpen(rule))
  return {
    collection: ({ name }) => open.some(({ collection }) => collection === name),
    field: (field, { name }) =>
      open.some(({ collection, fields }) => collection === name && (fields === 'all' || fields.has(field))),
  }
}

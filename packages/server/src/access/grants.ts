import { LRUCache } from 'lru-cache'
import { bindFilter } from '../query/bind-filter.ts'
import type { BoundFilter, Mask } from '../query/bound.ts'
import { parseFilter } from '../query/parse-filter.ts'
import { everything, noField, type Visibility } from '../query/resolve.ts'
import { ruleConstants } from '../query/values.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import type { Actor } from './actor.ts'
import { simplify, type Fits } from './simplify-rule.ts'
import type { Action, Permission } from './permissions.ts'

/** A permission bound to a collection: which rows, and which of their fields. */
export interface Rule {
  /** null: every row. */
  readonly rows: BoundFilter | null
  readonly fields: 'all' | ReadonlySet<string>
  readonly permission: Permission
}

/** The inputs of access checks: the caller, the schema, the check of rule operands and the grant cache. */
export interface Access {
  readonly actor: Actor
  readonly schema: Schema
  readonly fits: Fits
  readonly grants: GrantCache
}

/** Grants by schema generation, grant key, action and collection. Each database needs its own: the key omits it. */
export type GrantCache = LRUCache<string, Grant>

export const createGrantCache = (): GrantCache => new LRUCache({ max: 20_000 })

/** All rules of a caller for one action on a collection. */
export interface Grant {
  readonly rules: readonly Rule[]
}

/** Depth and length are limited when a rule is saved, not when it is used. */
const RULE_LIMITS = { depth: 50, jsonDepth: 50, listLength: Number.MAX_SAFE_INTEGER }

const nobody: BoundFilter = { kind: 'constant', value: false }

/** null: the caller has no permission. */
export function grantFor(action: Action, collection: Collection, access: Access): Grant | null {
  const { actor, schema, grants } = access
  const permissions = actor.permissionsFor(collection, action)
  if (permissions.length === 0) return null
  const key = `${schema.generation} ${actor.grantKey} ${action} ${collection.name}`
  const known = grants.get(key)
  if (known !== undefined) return known
  const beyond = ruleBeyond(collection, actor, schema)
  const rules = permissions.map((permission) => ruleOf(permission, collection, access))
  const grant = {
    rules: beyond === null ? rules : rules.map((rule) => ({ ...rule, rows: bothRows(rule.rows, beyond) })),
  }
  grants.set(key, grant)
  return grant
}

const bothRows = (rows: BoundFilter | null, beyond: BoundFilter): BoundFilter =>
  rows === null ? beyond : { kind: 'and', parts: [rows, beyond] }

/** Revisions contain whole rows, so a caller sees only those of collections that it can read completely. */
function ruleBeyond(collection: Collection, actor: Actor, schema: Schema): BoundFilter | null {
  const field = collection.columns.get('collection')
  if (!collection.isSystem || collection.table !== 'service_revisions' || field === undefined) return null
  const names = [...schema.collections.values()].flatMap((entry) => (readsAll(entry, actor) ? [entry.name] : []))
  return {
    kind: 'test',
    value: { kind: 'column', field, mask: null },
    operator: '_in',
    operand: names.length === 0 ? null : { constant: names },
  }
}

/** Whether the caller can read every field of every row. */
export const readsAll = (collection: Collection, actor: Actor): boolean =>
  actor.isAdmin ||
  actor.permissionsFor(collection, 'read').some(({ rule, fields }) => fields === 'all' && isForAllRows(rule))

/** Whether a rule allows every row. Empty `_and` groups count as no condition. */
export const isForAllRows = (rule: unknown): boolean => rule === null || rule === undefined || asksNothing(rule)

const asksNothing = (condition: unknown): boolean =>
  typeof condition === 'object' &&
  condition !== null &&
  !Array.isArray(condition) &&
  Object.entries(condition).every(([key, parts]) => key === '_and' && Array.isArray(parts) && parts.every(asksNothing))

/** A rule that can no longer be used allows no rows. */
function ruleOf(permission: Permission, collection: Collection, { actor, schema, fits }: Access): Rule {
  const { rule, fields } = permission
  try {
    if (rule === null || rule === undefined) return { rows: null, fields, permission }
    const parsed = parseFilter(rule, ruleConstants, RULE_LIMITS)
    if (parsed === null) return { rows: null, fields, permission }
    const bound = bindFilter(parsed, collection, { schema, visibility: everything, at: 'root', limitDefault: 0 })
    const rows = simplify(bound, actor, fits)
    return { rows: rows.kind === 'constant' && rows.value ? null : rows, fields, permission }
  } catch {
    return { rows: nobody, fields, permission }
  }
}

const opens = ({ fields }: Rule, name: string) => fields === 'all' || fields.has(name)

/** The condition that at least one of the rules holds; null: every row meets it. */
function anyRule(rules: readonly Rule[]): Mask {
  const filters: BoundFilter[] = []
  for (const { rows } of rules) {
    if (rows === null) return null
    if (!filters.includes(rows)) filters.push(rows)
  }
  return { kind: 'or', parts: filters }
}

/** The rules that count where these fields are returned; all rules where no fields are returned. */
export function consideredRules({ rules }: Grant, names: readonly string[]): readonly Rule[] {
  return names.length === 0 ? rules : rules.filter((rule) => names.some((name) => opens(rule, name)))
}

export const rowsOf = (rules: readonly Rule[]): Mask => anyRule(rules)

/** The rows in which a field is visible, among the rows that `considered` allows; null: all of them. */
export function maskOf(
  name: string,
  grant: Grant,
  considered: readonly Rule[],
  collection: Collection,
  at: string,
): Mask {
  const granting = grant.rules.filter((rule) => opens(rule, name))
  if (granting.length === 0) throw noField(name, collection.name, at)
  if (considered.every((rule) => granting.includes(rule))) return null
  return anyRule(granting)
}

/** The collections and fields that a caller can read. */
export const visibilityOf = (actor: Actor): Visibility =>
  actor.isAdmin
    ? everything
    : {
        collection: (collection) => actor.may('read', collection),
        field: (name, collection) => {
          const fields = actor.fieldsFor(collection, 'read')
          return fields === 'all' || fields.has(name)
        },
      }

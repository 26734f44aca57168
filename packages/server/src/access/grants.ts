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

/** Whose rights, over which structure, and what rules can be compared with there. */
export interface Access {
  readonly actor: Actor
  readonly schema: Schema
  readonly fits: Fits
  readonly grants: GrantCache
}

/** Grants by schema generation, grant key, action and collection: one for each database, because these say nothing of it. */
export type GrantCache = LRUCache<string, Grant>

export const createGrantCache = (): GrantCache => new LRUCache({ max: 20_000 })

/** What somebody may do with a collection: all rules together. */
export interface Grant {
  readonly rules: readonly Rule[]
}

/** Depths and lengths are limited where rules are written, not where they are used. */
const RULE_LIMITS = { depth: 50, jsonDepth: 50, listLength: Number.MAX_SAFE_INTEGER }

const nobody: BoundFilter = { kind: 'constant', value: false }

/** null: nothing at all. */
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

/** Revisions hold whole rows: they are for those who may read every field of every row of the collection they are of. */
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

/** Every field of every row. */
export const readsAll = (collection: Collection, actor: Actor): boolean =>
  actor.isAdmin ||
  actor.permissionsFor(collection, 'read').some(({ rule, fields }) => fields === 'all' && isForAllRows(rule))

/** Also where an empty list of conditions says so. */
export const isForAllRows = (rule: unknown): boolean => rule === null || rule === undefined || asksNothing(rule)

const asksNothing = (condition: unknown): boolean =>
  typeof condition === 'object' &&
  condition !== null &&
  !Array.isArray(condition) &&
  Object.entries(condition).every(([key, parts]) => key === '_and' && Array.isArray(parts) && parts.every(asksNothing))

/** A rule that cannot be used any more lets nobody through. */
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

/** At least one of the rules has to hold; null: that is so for every row. */
function anyRule(rules: readonly Rule[]): Mask {
  const filters: BoundFilter[] = []
  for (const { rows } of rules) {
    if (rows === null) return null
    if (!filters.includes(rows)) filters.push(rows)
  }
  return { kind: 'or', parts: filters }
}

/** The rules that count for a place that shows these fields; all of them where it shows none. */
export function consideredRules({ rules }: Grant, names: readonly string[]): readonly Rule[] {
  return names.length === 0 ? rules : rules.filter((rule) => names.some((name) => opens(rule, name)))
}

export const rowsOf = (rules: readonly Rule[]): Mask => anyRule(rules)

/** Rows in which a field may be seen, among rows that one of `considered` lets through; null: in all of them. */
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

/** What there is for somebody who reads. */
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

import type { Selection } from '../reads/ast.ts'
import { evaluate } from '../reads/interpret/evaluate.ts'
import { type Model, type Relation, type Row, tableOf } from '../database/model.ts'
import { plainWorld, type Star, storedEnds, storedTarget, tieBreakersOf, type World } from '../reads/interpret/world.ts'
import {
  type Action,
  grantOf,
  grants,
  isInUnion,
  type Permission,
  type Rights,
  type EffectivePermissions,
} from './rights.ts'
import { resolveFilter } from './variables.ts'

/** One caller's permissions on one set of rows, as docs/access.md describes them. Uses no server code. */
export interface View extends World {
  readonly effective: EffectivePermissions
  grant(collection: string, action: Action): readonly Permission[]
  /** Whether the permission's rule matches the row as it is stored. */
  holds(permission: Permission, row: Row): boolean
  isReadable(collection: string): boolean
  /** Whether any read permission grants the field. */
  has(collection: string, field: string): boolean
  /** Whether the caller has all permissions that following the relation requires. */
  canFollow(collection: string, relation: Relation): boolean
  /** Whether a permission that grants the field matches the row. */
  sees(collection: string, row: Row, field: string): boolean
  /** Whether the row is visible where no field is selected. */
  isVisible(collection: string, row: Row): boolean
}

export function createView(model: Model, rights: Rights, effective: EffectivePermissions): View {
  const plain = plainWorld(model)
  const known = new Map<Permission, Map<Row, boolean>>()
  const { isAdmin } = effective

  const holds = (permission: Permission, row: Row): boolean => {
    const rows = known.get(permission) ?? new Map<Row, boolean>()
    known.set(permission, rows)
    const before = rows.get(row)
    if (before !== undefined) return before
    const isMet = evaluateRule(permission, row)
    rows.set(row, isMet)
    return isMet
  }

  const evaluateRule = ({ rule, collection }: Permission, row: Row): boolean => {
    if (rule === null) return true
    if (rule.kind === 'broken') return false
    return evaluate(plain, collection, resolveFilter(rule.filter, effective, rights), row) === true
  }

  const readGrants = new Map<string, readonly Permission[]>()
  const readGrant = (collection: string): readonly Permission[] => {
    const found = readGrants.get(collection) ?? grantOf(effective, collection, 'read')
    readGrants.set(collection, found)
    return found
  }

  const has = (collection: string, field: string): boolean => isAdmin || isInUnion(readGrant(collection), field)
  const isReadable = (collection: string): boolean => isAdmin || readGrant(collection).length > 0
  const sees = (collection: string, row: Row, field: string): boolean =>
    isAdmin || readGrant(collection).some((permission) => grants(permission, field) && holds(permission, row))
  const seesAll = (collection: string, row: Row, fields: readonly string[]): boolean =>
    fields.every((field) => sees(collection, row, field))

  const canFollow = (collection: string, relation: Relation): boolean => {
    if (!has(collection, relation.field) || !isReadable(relation.target)) return false
    if (relation.kind === 'one')
      return relation.isColumn || relation.link.near.every((column) => has(collection, column))
    if (relation.kind === 'through')
      return [...relation.link.far, ...relation.onward.near].every((column) => has(relation.junction, column))
    return relation.isDeclared === true || relation.link.far.every((column) => has(relation.target, column))
  }

  const star = (collection: string, isFollowed: boolean): Star => {
    const everything = plain.star(collection, isFollowed)
    const relations = model.relations.get(collection)!
    const showsKeys = ({ target }: Relation) => tableOf(model, target).key.every((column) => has(target, column))
    return {
      columns: everything.columns.filter((column) => {
        const relation = relations.get(column)
        return has(collection, column) && (!isFollowed || relation === undefined || isReadable(relation.target))
      }),
      lists: everything.lists.filter(
        (relation) => canFollow(collection, relation) && (isFollowed || showsKeys(relation)),
      ),
    }
  }

  const selectedNames = (collection: string, shown: readonly Selection[]): string[] =>
    shown.flatMap((selection): string[] => {
      if (selection.kind === 'field') return [selection.subject.name]
      if (selection.kind === 'relation' || selection.kind === 'any') return [selection.field]
      const { columns, lists } = star(collection, selection.kind === 'starstar')
      return [...columns, ...lists.map(({ field }) => field)]
    })

  /** If fields are selected, only the permissions that grant one of them count; otherwise all do. */
  const isSeenAt = (collection: string, shown: readonly Selection[] | null): ((row: Row) => boolean) => {
    if (isAdmin) return () => true
    const names = shown === null ? [] : selectedNames(collection, shown)
    const considered =
      names.length === 0
        ? readGrant(collection)
        : readGrant(collection).filter((permission) => names.some((name) => grants(permission, name)))
    return (row) => considered.some((permission) => holds(permission, row))
  }

  const isVisible = (collection: string, row: Row): boolean => isSeenAt(collection, null)(row)

  const related: World['related'] = (collection, relation, row, shown) => {
    if (!sees(collection, row, relation.field)) return null
    if (relation.kind === 'one' && !relation.isColumn && !seesAll(collection, row, relation.link.near)) return null
    const isSeen = isSeenAt(relation.target, shown)
    return storedEnds(model, relation, row)
      .filter(({ row: end, bridge }) => {
        if (relation.kind === 'many' && relation.isDeclared !== true)
          return seesAll(relation.target, end, relation.link.far)
        if (relation.kind !== 'through' || bridge === null) return true
        const columns = [...relation.link.far, ...relation.onward.near]
        return isVisible(relation.junction, bridge) && seesAll(relation.junction, bridge, columns)
      })
      .map(({ row: end }) => end)
      .filter(isSeen)
  }

  const seesAny: World['seesAny'] = (collection, any, row) =>
    seesAll(collection, row, [any.field, any.collectionColumn])

  const anyTarget: World['anyTarget'] = (collection, any, target, row, shown) => {
    if (!seesAny(collection, any, row)) return null
    const end = storedTarget(model, any, target, row)
    return end !== null && isSeenAt(target, shown)(end) ? end : null
  }

  const hasKey = (collection: string): boolean => tableOf(model, collection).key.length > 0
  const cell: World['cell'] = (collection, row, column) =>
    sees(collection, row, column) ? (row.get(column) ?? null) : null

  return {
    model,
    effective,
    grant: (collection, action) => grantOf(effective, collection, action),
    holds,
    knows: isReadable,
    isReadable,
    has,
    canFollow,
    sees,
    isVisible,
    rows: (collection, shown) => model.rows.get(collection)!.filter(isSeenAt(collection, shown)),
    cell,
    related,
    seesAny,
    anyTarget,
    star,
    // A table without a key is ordered by its visible columns.
    tieBreakers: (collection) =>
      tieBreakersOf(model, collection).filter((column) => hasKey(collection) || has(collection, column)),
    tieCell: (collection, row, column) =>
      hasKey(collection) ? (row.get(column) ?? null) : cell(collection, row, column),
  }
}

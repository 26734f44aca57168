import type { Filter } from '../filter/tree.ts'
import type { Action } from '../model/collection.ts'
import { fieldsOf, isSamePermission, ruleMember, ruleOf, type Level, type Permission } from './permission.ts'

/** A cell of the matrix. */
export interface Place {
  readonly collection: string
  readonly action: Action
}

type Permissions = readonly Permission[]

export const isAt =
  ({ collection, action }: Place) =>
  (permission: Permission): boolean =>
    permission.collection === collection && permission.action === action

export const cellOf = (permissions: Permissions, place: Place): Permissions => permissions.filter(isAt(place))

/** A permission for a cell that has none: what was saved there, else every row and field. */
function fresh(place: Place, saved: Permissions): Permission {
  const before = saved.find(isAt(place))
  return before ?? { id: null, ...place, permissions: null, validation: null, presets: null, fields: ['*'] }
}

/** Sets a cell to nothing, to every row, or to a rule. Fields, presets and the key of the permission stay. */
export function withLevel(
  draft: Permissions,
  saved: Permissions,
  place: Place,
  level: Level,
  rule: Filter | null = null,
): Permissions {
  const cell = cellOf(draft, place)
  if (level === 'none') return draft.filter((each) => !cell.includes(each))
  const first = cell[0] ?? fresh(place, saved)
  const fields = cell.length > 1 ? (fieldsOf(cell) ?? ['*']) : first.fields
  const next = { ...first, fields, [ruleMember(place.action)]: level === 'all' ? null : (rule ?? ruleOf(first)) }
  if (level === 'all' || cell.length === 0) return replaced(draft, cell, [next])
  return withPermission(draft, first, { ...first, [ruleMember(place.action)]: rule ?? ruleOf(first) })
}

/** Puts one permission in the place of another. */
export const withPermission = (draft: Permissions, old: Permission, next: Permission): Permissions =>
  replaced(draft, [old], [next])

function replaced(draft: Permissions, old: Permissions, next: Permissions): Permissions {
  const at = draft.findIndex((each) => old.includes(each))
  if (at === -1) return [...draft, ...next]
  return draft.flatMap((each, index) => (index === at ? next : old.includes(each) ? [] : [each]))
}

/** Gives other cells the same permissions. Those that are there keep their keys as far as they go. */
export function withCopies(
  draft: Permissions,
  saved: Permissions,
  from: Place,
  targets: readonly Place[],
): Permissions {
  const source = cellOf(draft, from)
  let result = draft
  for (const place of targets) {
    const cell = cellOf(result, place)
    const keys = [...new Set([...cell, ...cellOf(saved, place)].map(({ id }) => id).filter((id) => id !== null))]
    const copies = source.map((each, index) => adapted(each, place, keys[index] ?? null))
    result = [...result.filter((each) => !cell.includes(each)), ...copies]
  }
  return result
}

/** The rule goes where the other action looks for it. */
function adapted(permission: Permission, place: Place, id: number | null): Permission {
  const rule = ruleOf(permission)
  const isMoved = ruleMember(permission.action) !== ruleMember(place.action)
  const moved =
    place.action === 'create' ? { permissions: null, validation: rule } : { permissions: rule, validation: null }
  return { ...permission, ...place, ...(isMoved ? moved : {}), id }
}

export interface Changes {
  readonly created: Permissions
  readonly updated: readonly { readonly before: Permission; readonly after: Permission }[]
  readonly deleted: Permissions
}

/** What lies between the saved permissions of a policy and a draft. */
export function changesOf(saved: Permissions, draft: Permissions): Changes {
  const byId = new Map(saved.map((each) => [each.id, each]))
  const kept = new Set(draft.map(({ id }) => id))
  return {
    created: draft.filter(({ id }) => id === null || !byId.has(id)),
    updated: draft.flatMap((after) => {
      const before = after.id === null ? undefined : byId.get(after.id)
      return before === undefined || isSamePermission(before, after) ? [] : [{ before, after }]
    }),
    deleted: saved.filter(({ id }) => !kept.has(id)),
  }
}

export const countOf = ({ created, updated, deleted }: Changes): number =>
  created.length + updated.length + deleted.length

const bodyOf = ({ collection, action, permissions, validation, presets, fields }: Permission) => ({
  collection,
  action,
  permissions,
  validation,
  presets,
  fields,
})

/** The value of a policy's `permissions` that makes all changes in one transaction. */
export const writeOf = ({ created, updated, deleted }: Changes) => ({
  create: created.map(bodyOf),
  update: updated.map(({ after }) => after),
  delete: deleted.map(({ id }) => id),
})

/** The same changes as a preview takes them. */
export const previewOf = ({ created, updated, deleted }: Changes, policy: string): readonly unknown[] => [
  ...created.map((each) => ({ policy, ...bodyOf(each) })),
  ...updated.map(({ after }) => ({ policy, ...after })),
  ...deleted.map(({ id }) => ({ id, delete: true })),
]

/** The same changes on permissions that somebody else has changed meanwhile. */
export function rebased({ created, updated, deleted }: Changes, fresh: Permissions): Permissions {
  const gone = new Set(deleted.map(({ id }) => id))
  const changed = new Map(updated.map(({ after }) => [after.id, after]))
  return [...fresh.filter(({ id }) => !gone.has(id)).map((each) => changed.get(each.id) ?? each), ...created]
}

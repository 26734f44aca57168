import { isObject, type Filter } from '../filter/tree.ts'
import type { Action } from '../model/collection.ts'

/** A permission of a policy. `id` null: it is not saved yet. */
export interface Permission {
  readonly id: number | null
  readonly collection: string
  readonly action: Action
  readonly permissions: Filter | null
  readonly validation: Filter | null
  readonly presets: Filter | null
  /** `*` is all; an empty list is none. */
  readonly fields: readonly string[] | null
}

/** The actions that the matrix has a column for. */
export const columns = ['create', 'read', 'update', 'delete'] as const satisfies readonly Action[]
export type Column = (typeof columns)[number]

export const actionWords: Readonly<Record<Action, string>> = {
  create: 'Create',
  read: 'Read',
  update: 'Update',
  delete: 'Delete',
  share: 'Share',
}

export const levels = ['none', 'rule', 'all'] as const
export type Level = (typeof levels)[number]

export const levelWords: Readonly<Record<Level, string>> = { none: 'None', rule: 'Rule', all: 'All rows' }

/** Whether a rule excludes nothing. */
export const isEveryRow = (rule: Filter | null): boolean => {
  if (rule === null) return true
  const entries = Object.entries(rule)
  const [only] = entries
  if (only === undefined) return true
  return entries.length === 1 && only[0] === '_and' && Array.isArray(only[1]) && only[1].length === 0
}

/** The member of a permission that says which rows it covers: new rows are judged by their values. */
export const ruleMember = (action: Action): 'permissions' | 'validation' =>
  action === 'create' ? 'validation' : 'permissions'

export const ruleOf = (permission: Permission): Filter | null => permission[ruleMember(permission.action)]

/** What the permissions of one collection and action add up to. */
export function levelOf(permissions: readonly Permission[]): Level {
  if (permissions.length === 0) return 'none'
  // All validations of a caller hold together; of rules on rows one is enough.
  const isFree = (each: Permission) => isEveryRow(ruleOf(each))
  const isAll = permissions[0]?.action === 'create' ? permissions.every(isFree) : permissions.some(isFree)
  return isAll ? 'all' : 'rule'
}

/** The fields that permissions grant together; null: all of them. */
export function fieldsOf(permissions: readonly Permission[]): readonly string[] | null {
  const all = permissions.flatMap(({ fields }) => fields ?? [])
  return all.includes('*') ? null : [...new Set(all)]
}

/** Deleting a row needs no fields. */
export const hasFields = (action: Action): boolean => action !== 'delete' && action !== 'share'

const actions: ReadonlySet<unknown> = new Set(Object.keys(actionWords))

/** A permission as the API sends it; null for those that come with every sign-in and cannot be changed. */
export function parsePermission(row: Readonly<Record<string, unknown>>): Permission | null {
  const { id, collection, action, fields } = row
  if (typeof id !== 'number' || typeof collection !== 'string' || !actions.has(action)) return null
  return {
    id,
    collection,
    action: action as Action,
    permissions: filterOf(row['permissions']),
    validation: filterOf(row['validation']),
    presets: filterOf(row['presets']),
    fields: Array.isArray(fields) ? fields.filter((each): each is string => typeof each === 'string') : null,
  }
}

const filterOf = (value: unknown): Filter | null => (isObject(value) ? value : null)

/** Whether two permissions say the same, whatever the order of their members. */
export const isSamePermission = (a: Permission, b: Permission): boolean => canonical(a) === canonical(b)

const canonical = ({ collection, action, permissions, validation, presets, fields }: Permission): string =>
  JSON.stringify(
    [collection, action, emptied(permissions), emptied(validation), emptied(presets), fields?.toSorted() ?? []],
    (_, value: unknown) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  )

const emptied = (value: Filter | null): Filter | null => (isEveryRow(value) ? null : value)

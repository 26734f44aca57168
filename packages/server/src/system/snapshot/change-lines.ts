import type { ObjectDiff, SnapshotDiff, SnapshotEdit, SnapshotRow, SnapshotSection } from '@tain/contract'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { isBody } from '../metadata.ts'
import { allSections, type Item } from './sections.ts'

/** Roles and policies by key: rows of permissions name them by their keys, and people by their names. */
export type RowNames = ReadonlyMap<string, string>

const signs = { N: '+', D: '-', E: '~' } as const

interface Described {
  readonly kind: string
  readonly nameOf: (item: Item, names: RowNames) => string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : canonicalJson(value ?? null))
const rowName = (key: unknown, names: RowNames): string => names.get(text(key)) ?? text(key)
const field: Described = {
  kind: 'field',
  nameOf: ({ collection, field: name }) => `${text(collection)}.${text(name)}`,
}

const described: Readonly<Record<SnapshotSection, Described>> = {
  collections: { kind: 'collection', nameOf: ({ collection }) => text(collection) },
  fields: field,
  systemFields: field,
  relations: { ...field, kind: 'relation' },
  names: {
    kind: 'name',
    nameOf: ({ collection, relation }) =>
      [collection, relation]
        .filter((part) => part !== '')
        .map(text)
        .join(' '),
  },
  roles: { kind: 'role', nameOf: ({ id }, names) => rowName(id, names) },
  policies: { kind: 'policy', nameOf: ({ id }, names) => rowName(id, names) },
  access: {
    kind: 'access',
    nameOf: ({ role, policy }, names) => `${role === null ? 'public' : rowName(role, names)} ${rowName(policy, names)}`,
  },
  permissions: {
    kind: 'permission',
    nameOf: ({ policy, action, collection }, names) => `${rowName(policy, names)} ${text(action)} ${text(collection)}`,
  },
  settings: { kind: 'setting', nameOf: () => '' },
}

/** The one rule of a list; null if there are several, which have no names. */
const onlyRule = (value: unknown): Item | null => {
  const [only, ...others] = Array.isArray(value) ? (value as unknown[]) : []
  return isBody(only) && others.length === 0 ? only : null
}

/** The edits of a permission are those of its rule; settings are edited one by one. */
function editsOf(section: SnapshotSection, { diff }: ObjectDiff): readonly SnapshotEdit[] {
  return diff.flatMap((edit): readonly SnapshotEdit[] => {
    const { path = [], lhs, rhs } = edit
    const isWhole = section === 'settings' && path.length === 0
    const before = isWhole ? (isBody(lhs) ? lhs : {}) : onlyRule(lhs)
    const after = isWhole ? (isBody(rhs) ? rhs : {}) : onlyRule(rhs)
    const isRule = section === 'permissions' && path.join('.') === 'rules'
    if ((!isRule && !isWhole) || before === null || after === null) return [edit]
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null))
      .map((name) => ({ kind: 'E', path: [name], lhs: before[name], rhs: after[name] }))
  })
}

/** One change of a diff. Only edits have a member and values; a setting is a name without members. */
export interface SnapshotChange {
  readonly sign: '+' | '~' | '-'
  readonly kind: string
  readonly name: string
  readonly member?: string
  readonly before?: unknown
  readonly after?: unknown
}

function changeOf(section: SnapshotSection, object: ObjectDiff, edit: SnapshotEdit, names: RowNames): SnapshotChange {
  const { kind, nameOf } = described[section]
  const { path = [], lhs = null, rhs = null } = edit
  const name = nameOf(object, names)
  const member = path.join('.')
  if (path.length === 0) return { sign: signs[edit.kind], kind, name }
  return { sign: '~', kind, ...(name === '' ? { name: member } : { name, member }), before: lhs, after: rhs }
}

export const snapshotChanges = (diff: SnapshotDiff, names: RowNames): readonly SnapshotChange[] =>
  allSections.flatMap((section) =>
    (diff[section] ?? []).flatMap((object) =>
      editsOf(section, object).map((edit) => changeOf(section, object, edit, names)),
    ),
  )

/** One line: the sign, the kind and the name, and of an edit the member with its old and new value. */
export function changeLine({ sign, kind, name, member, before, after }: SnapshotChange): string {
  const subject = [sign, kind, name, ...(member === undefined ? [] : [member])].join(' ')
  return before === undefined ? subject : `${subject}: ${canonicalJson(before)} -> ${canonicalJson(after ?? null)}`
}

/** The names of the rows, and of those that the diff adds. */
export function namesOfRows(rows: readonly SnapshotRow[], { roles = [], policies = [] }: SnapshotDiff): RowNames {
  const added = [...roles, ...policies].flatMap(({ diff }) => diff.flatMap(({ rhs }) => (isBody(rhs) ? [rhs] : [])))
  return new Map([...rows, ...added].map(({ id, name }) => [text(id), text(name)]))
}

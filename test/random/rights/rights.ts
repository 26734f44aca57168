import type { Filter } from '../reads/ast.ts'
import type { Json } from '../database/model.ts'

/** Permissions as plain values. Nothing here is shared with the server. */
export type Action = 'create' | 'read' | 'update' | 'delete'

/** A filter, or an invalid one, which is false as a whole. Null matches every row. */
export type Rule =
  | { readonly kind: 'filter'; readonly filter: Filter }
  | { readonly kind: 'broken'; readonly wire: Json }

export interface Permission {
  readonly collection: string
  readonly action: Action
  /** `*` means all fields. */
  readonly fields: readonly string[] | null
  readonly rule: Rule | null
  /** As stored; only writes use them. */
  readonly validation: Readonly<Record<string, Json>> | null
  readonly presets: Readonly<Record<string, Json>> | null
}

export interface Policy {
  readonly id: string
  readonly name: string
  readonly isAdmin: boolean
  readonly addresses: readonly string[]
  readonly permissions: readonly Permission[]
}

export interface Role {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly parent: string | null
}

export interface User {
  readonly id: string
  readonly token: string
  readonly role: string | null
  readonly title: string | null
  readonly location: string | null
}

/** One of the users, the administrator of the service, or null for the public. */
export type Caller = User | 'administrator' | null

/** A policy attached to a role, to a user, or, without either, to the public. */
export interface Access {
  readonly id: string
  readonly role: string | null
  readonly user: string | null
  readonly policy: string
  readonly sort: number | null
}

export interface Rights {
  readonly roles: readonly Role[]
  readonly policies: readonly Policy[]
  readonly users: readonly User[]
  readonly access: readonly Access[]
}

/** Ranges that contain the client address of the tests. */
const INSIDE: ReadonlySet<string> = new Set(['127.0.0.1', '127.0.0.0/8', '127.0.0.1-127.0.0.9'])

export interface EffectivePermissions {
  readonly user: User | null
  /** From the root of the role tree down. */
  readonly roles: readonly Role[]
  readonly policies: readonly Policy[]
  readonly isAdmin: boolean
  /** There are policies, but the client's address matches none of them. */
  readonly isShutOut: boolean
}

export function effectivePermissionsOf(rights: Rights, caller: Caller): EffectivePermissions {
  return caller === 'administrator'
    ? { user: null, roles: [], policies: [], isAdmin: true, isShutOut: false }
    : permissionsOf(rights, caller)
}

/** A null user is an anonymous caller. */
function permissionsOf(rights: Rights, user: User | null): EffectivePermissions {
  const roles = chainOf(rights, user?.role ?? null)
  const attached = new Set(
    [
      ...(roles.length === 0 ? accessOf(rights, { role: null, user: null }) : []),
      ...roles.flatMap(({ id }) => accessOf(rights, { role: id, user: null })),
      ...(user === null ? [] : accessOf(rights, { role: null, user: user.id })),
    ].map(({ policy }) => policy),
  )
  const all = [...attached].map((id) => rights.policies.find((policy) => policy.id === id)!)
  const policies = all.filter(({ addresses }) => addresses.length === 0 || addresses.some((entry) => INSIDE.has(entry)))
  return {
    user,
    roles,
    policies,
    isAdmin: policies.some(({ isAdmin }) => isAdmin),
    isShutOut: user !== null && all.length > 0 && policies.length === 0,
  }
}

function chainOf({ roles }: Rights, id: string | null): Role[] {
  const role = roles.find((candidate) => candidate.id === id)
  return role === undefined ? [] : [...chainOf({ roles } as Rights, role.parent), role]
}

/** In order of precedence: by `sort` with null last, then by key. */
function accessOf({ access }: Rights, holder: Pick<Access, 'role' | 'user'>): Access[] {
  return access
    .filter(({ role, user }) => role === holder.role && user === holder.user)
    .sort((a, b) => (a.sort ?? Infinity) - (b.sort ?? Infinity) || (a.id < b.id ? -1 : 1))
}

/** The permissions for one collection and action, in the order of their policies; empty if there is no grant. */
export function grantOf({ policies }: EffectivePermissions, collection: string, action: Action): readonly Permission[] {
  return policies.flatMap(({ permissions }) =>
    permissions.filter((permission) => permission.collection === collection && permission.action === action),
  )
}

export function grants({ fields }: Permission, field: string): boolean {
  return fields !== null && (fields.includes('*') || fields.includes(field))
}

export function isInUnion(permissions: readonly Permission[], field: string): boolean {
  return permissions.some((permission) => grants(permission, field))
}

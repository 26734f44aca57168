import type { Action } from '@tain/contract'
import { isInside } from './ip-match.ts'

/** All roles, policies and permissions at one permission version. Immutable: a new version replaces it. */
export interface PermissionModel {
  readonly version: number
  readonly roles: ReadonlyMap<string, Role>
  readonly policies: ReadonlyMap<string, Policy>
  /** In the order in which they apply. */
  readonly attachments: readonly Attachment[]
}

export interface Role {
  readonly id: string
  readonly parent: string | null
}

export interface Policy {
  readonly id: string
  /** IP addresses that the policy applies to; empty: all. */
  readonly addresses: readonly string[]
  readonly enforcesTfa: boolean
  readonly isAdmin: boolean
  readonly isApp: boolean
  readonly permissions: readonly Permission[]
}

export { actions, type Action } from '@tain/contract'

/** Role and user both null: a public policy. */
export interface Attachment {
  readonly role: string | null
  readonly user: string | null
  readonly policy: string
}

export interface Permission {
  /** null: an app permission, which is not stored. */
  readonly id: number | null
  readonly policy: string | null
  readonly collection: string
  readonly action: Action
  /** The filter as stored; null: every row. */
  readonly rule: unknown
  readonly validation: unknown
  readonly presets: Readonly<Record<string, unknown>> | null
  readonly fields: 'all' | ReadonlySet<string>
}

/** A permission as its row holds it. */
export interface StoredPermission {
  readonly id: number | null
  readonly policy: string
  readonly collection: string
  readonly action: Action
  readonly permissions: unknown
  readonly validation: unknown
  readonly presets: Readonly<Record<string, unknown>> | null
  readonly fields: readonly string[] | null
}

/** A policy as its row holds it. */
export interface StoredPolicy {
  readonly id: string
  readonly ip_access: readonly string[] | null
  readonly enforce_tfa: boolean
  readonly admin_access: boolean
  readonly app_access: boolean
}

export interface StoredModel {
  readonly version: number
  readonly roles: readonly Role[]
  readonly policies: readonly StoredPolicy[]
  readonly attachments: readonly Attachment[]
  readonly permissions: readonly StoredPermission[]
}

export function permissionModelFrom(stored: StoredModel): PermissionModel {
  const byPolicy = Map.groupBy(stored.permissions.map(permissionFrom), ({ policy }) => policy)
  return {
    version: stored.version,
    roles: new Map(stored.roles.map(({ id, parent }) => [id, { id, parent }])),
    policies: new Map(
      stored.policies.map(({ id, ip_access, enforce_tfa, admin_access, app_access }): [string, Policy] => [
        id,
        {
          id,
          addresses: ip_access ?? [],
          enforcesTfa: enforce_tfa,
          isAdmin: admin_access,
          isApp: app_access,
          permissions: byPolicy.get(id) ?? [],
        },
      ]),
    ),
    attachments: stored.attachments,
  }
}

function permissionFrom({ permissions: rule, fields, ...stored }: StoredPermission): Permission {
  const names = fields ?? []
  return { ...stored, rule, fields: names.includes('*') ? 'all' : new Set(names) }
}

/** Roles from the root of the tree down to this one. A cycle of parents is cut where it closes. */
export function roleChain(role: string | null, { roles }: PermissionModel): string[] {
  const chain: string[] = []
  for (let id = role; id !== null && roles.has(id) && !chain.includes(id); id = roles.get(id)?.parent ?? null)
    chain.unshift(id)
  return chain
}

export interface Holder {
  readonly user: string | null
  readonly role: string | null
  readonly address: string | null
}

/** All policies of a holder in order, regardless of the IP address. */
export function attachedPolicies(
  { user, role }: Omit<Holder, 'address'>,
  permissionModel: PermissionModel,
): readonly Policy[] {
  const { attachments } = permissionModel
  const isPublic = (attachment: Attachment) => attachment.role === null && attachment.user === null
  const chosen = [
    ...(role === null ? attachments.filter(isPublic) : []),
    ...roleChain(role, permissionModel).flatMap((id) => attachments.filter((attachment) => attachment.role === id)),
    ...(user === null ? [] : attachments.filter((attachment) => attachment.user === user)),
  ]
  return [...new Set(chosen.map(({ policy }) => policy))].flatMap((id) => permissionModel.policies.get(id) ?? [])
}

export interface EffectivePolicies {
  readonly roles: readonly string[]
  readonly policies: readonly Policy[]
  /** There are policies, but none applies to the address. */
  readonly excluded: boolean
  /** With another address, other policies might apply. */
  readonly dependsOnAddress: boolean
}

/** The policies that apply to a holder, in order. */
export function effectivePolicies(holder: Holder, permissionModel: PermissionModel): EffectivePolicies {
  const { address } = holder
  const attached = attachedPolicies(holder, permissionModel)
  const policies = attached.filter(({ addresses }) => addresses.length === 0 || isInside(address, addresses))
  return {
    roles: roleChain(holder.role, permissionModel),
    policies,
    excluded: attached.length > 0 && policies.length === 0,
    dependsOnAddress: attached.some(({ addresses }) => addresses.length > 0),
  }
}

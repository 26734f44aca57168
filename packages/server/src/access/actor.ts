import { createHash } from 'node:crypto'
import { appPermissions } from './app-permissions.ts'
import type { Collection } from '../schema/schema.ts'
import {
  actions,
  effectivePolicies,
  type Action,
  type Holder,
  type Permission,
  type PermissionModel,
} from './permissions.ts'

/**
 * A collection as permissions see it. Stored permissions match a collection by name. App permissions match by table,
 * and only system collections, so another collection of the same name gets nothing from them.
 */
export type Governed = Pick<Collection, 'name' | 'table' | 'isSystem'>

/** The caller and its permissions. */
export interface Actor {
  readonly user: string | null
  readonly role: string | null
  /** From the root of the role tree down to the caller's own role. */
  readonly roles: readonly string[]
  readonly policies: readonly string[]
  readonly isAdmin: boolean
  readonly hasAppAccess: boolean
  readonly enforcesTfa: boolean
  /** A policy of the caller names IP addresses, whether they include the caller's or not. */
  readonly dependsOnAddress: boolean
  /** A policy requires a second factor and the user has none yet: the user may only set one up. */
  readonly lacksSecondFactor: boolean
  /** Permission version that this actor was built from; null: a built-in actor (`administrator`, `anonymous`). */
  readonly permissionVersion: number | null
  /** Callers with the same grants share compiled statements. */
  readonly grantKey: string
  readonly permissionsFor: (collection: Governed, action: Action) => readonly Permission[]
  /** Whether the action is allowed on the collection, at least for some rows. */
  readonly may: (action: Action, collection: Governed) => boolean
  /** Whether any action is allowed on the collection. */
  readonly mayUse: (collection: Governed) => boolean
  /** Fields that the action may use, at least in some rows. */
  readonly fieldsFor: (collection: Governed, action: Action) => 'all' | ReadonlySet<string>
  /** The login (session family) that the token belongs to; null or absent for other tokens. */
  readonly session?: string | null
  /** An administrator views as this user, and must not act in the user's name. */
  readonly isViewed?: boolean
  /** Values of variables with a path, such as `$CURRENT_USER.department`. */
  readonly paths: ReadonlyMap<string, unknown>
  /** The same caller with permissions of at least this version; throws if the credentials are no longer valid. */
  readonly renew: (version: number) => Promise<Actor>
}

/** What a caller may do, whoever the caller is. */
export type Permitted = Pick<Actor, 'isAdmin' | 'permissionsFor' | 'may' | 'mayUse' | 'fieldsFor'>

const noPermissions: readonly Permission[] = []
const noFields: ReadonlySet<string> = new Set()
const noPaths: ReadonlyMap<string, unknown> = new Map()

const nobody = {
  user: null,
  role: null,
  roles: [],
  policies: [],
  hasAppAccess: false,
  enforcesTfa: false,
  dependsOnAddress: false,
  lacksSecondFactor: false,
  permissionVersion: null,
  permissionsFor: () => noPermissions,
  fieldsFor: () => noFields,
  may: () => false,
  mayUse: () => false,
  paths: noPaths,
} as const

/** The service itself, or the holder of ADMIN_TOKEN where the service keeps no users. */
export const administrator: Actor = {
  ...nobody,
  isAdmin: true,
  hasAppAccess: true,
  may: () => true,
  mayUse: () => true,
  fieldsFor: () => 'all',
  grantKey: 'admin',
  renew: async () => administrator,
}

/** A caller without any permission, where no permissions are stored. */
export const anonymous: Actor = { ...nobody, isAdmin: false, grantKey: 'public', renew: async () => anonymous }

/** Effective permissions of one holder; the same for all holders with the same policies. */
export interface EffectivePermissions extends Pick<
  Actor,
  | 'roles'
  | 'policies'
  | 'isAdmin'
  | 'hasAppAccess'
  | 'enforcesTfa'
  | 'dependsOnAddress'
  | 'permissionsFor'
  | 'may'
  | 'mayUse'
  | 'fieldsFor'
  | 'grantKey'
> {
  /** The holder has policies, but none of them applies to the holder's IP address. */
  readonly isExcluded: boolean
  readonly permissions: readonly Permission[]
}

export function effectivePermissionsOf(holder: Holder, permissionModel: PermissionModel): EffectivePermissions {
  const { roles, policies, excluded, dependsOnAddress } = effectivePolicies(holder, permissionModel)
  const isAdmin = policies.some((policy) => policy.isAdmin)
  const hasAppAccess = isAdmin || policies.some((policy) => policy.isApp)
  const stored = isAdmin ? [] : policies.flatMap((policy) => policy.permissions)
  const ofApp = isAdmin || !hasAppAccess ? [] : appPermissions
  const [byName, byTable] = [grouped(stored), grouped(ofApp)]
  const ids = policies.map(({ id }) => id)
  const permissionsFor = ({ name, table, isSystem }: Governed, action: Action) => {
    const found = byName.get(`${action} ${name}`) ?? noPermissions
    const more = isSystem ? byTable.get(`${action} ${table}`) : undefined
    return more === undefined ? found : found.length === 0 ? more : [...found, ...more]
  }
  const may: Actor['may'] = (action, collection) => isAdmin || permissionsFor(collection, action).length > 0
  return {
    roles,
    policies: ids,
    isAdmin,
    hasAppAccess,
    enforcesTfa: policies.some((policy) => policy.enforcesTfa),
    dependsOnAddress,
    permissions: [...stored, ...ofApp],
    permissionsFor,
    may,
    mayUse: (collection) => actions.some((action) => may(action, collection)),
    fieldsFor: (collection, action) => (isAdmin ? 'all' : union(permissionsFor(collection, action))),
    grantKey: isAdmin ? 'admin' : `${permissionModel.version} ${flags(holder, hasAppAccess)} ${digest(ids)}`,
    isExcluded: excluded,
  }
}

function grouped(permissions: readonly Permission[]): Map<string, Permission[]> {
  const groups = new Map<string, Permission[]>()
  for (const permission of permissions) {
    const name = `${permission.action} ${permission.collection}`
    const same = groups.get(name)
    if (same === undefined) groups.set(name, [permission])
    else same.push(permission)
  }
  return groups
}

/** Rules simplify differently for callers without a user or without a role, so the grant key records both. */
const flags = ({ user, role }: Holder, hasAppAccess: boolean) =>
  `${user === null ? '' : 'u'}${role === null ? '' : 'r'}${hasAppAccess ? 'a' : ''}`

const digest = (ids: readonly string[]) => createHash('sha256').update(ids.join()).digest('base64url').slice(0, 16)

function union(permissions: readonly Permission[]): 'all' | ReadonlySet<string> {
  const names = new Set<string>()
  for (const { fields } of permissions) {
    if (fields === 'all') return 'all'
    for (const name of fields) names.add(name)
  }
  return names
}

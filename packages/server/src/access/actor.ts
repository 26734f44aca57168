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
 * What rights are held on. Stored permissions go by the name of a collection; those of the app mean the service's own,
 * whatever else may have the same name.
 */
export type Governed = Pick<Collection, 'name' | 'table' | 'isSystem'>

/** Who is asking, and under which rights. */
export interface Actor {
  readonly user: string | null
  readonly role: string | null
  /** From the root of the tree down to the own role. */
  readonly roles: readonly string[]
  readonly policies: readonly string[]
  readonly isAdmin: boolean
  readonly hasAppAccess: boolean
  readonly enforcesTfa: boolean
  /** A second factor is asked for and there is none yet: nothing may be done but setting it up. */
  readonly lacksSecondFactor: boolean
  /** Version of the rights this was made from; null: nobody's, the service itself. */
  readonly permissionVersion: number | null
  /** Callers with the same grants share compiled statements. */
  readonly grantKey: string
  readonly permissionsFor: (collection: Governed, action: Action) => readonly Permission[]
  /** Whether some rows of the collection are open to this action. */
  readonly may: (action: Action, collection: Governed) => boolean
  /** Whether anything at all may be done with the collection. */
  readonly mayUse: (collection: Governed) => boolean
  /** Fields that are open in some rows. */
  readonly fieldsFor: (collection: Governed, action: Action) => 'all' | ReadonlySet<string>
  /** The login whose session was used; nothing where there is none. */
  readonly session?: string | null
  /** What variables with a path stand for, such as `$CURRENT_USER.department`. */
  readonly paths: ReadonlyMap<string, unknown>
  /** The same caller under the rights of at least this version; throws when it is nobody any more. */
  readonly renew: (version: number) => Promise<Actor>
}

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
  lacksSecondFactor: false,
  permissionVersion: null,
  permissionsFor: () => noPermissions,
  fieldsFor: () => noFields,
  may: () => false,
  mayUse: () => false,
  paths: noPaths,
} as const

/** The service itself, or whoever holds the token of a service that keeps no users. */
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

/** Somebody without any right, where there are no rights to be had. */
export const anonymous: Actor = { ...nobody, isAdmin: false, grantKey: 'public', renew: async () => anonymous }

/** What follows from rights for one holder; the same for everybody with the same policies. */
export interface EffectivePermissions extends Pick<
  Actor,
  | 'roles'
  | 'policies'
  | 'isAdmin'
  | 'hasAppAccess'
  | 'enforcesTfa'
  | 'permissionsFor'
  | 'may'
  | 'mayUse'
  | 'fieldsFor'
  | 'grantKey'
> {
  /** All policies were excluded by the address. */
  readonly isExcluded: boolean
  readonly permissions: readonly Permission[]
}

export function effectivePermissionsOf(holder: Holder, permissionModel: PermissionModel): EffectivePermissions {
  const { roles, policies, excluded } = effectivePolicies(holder, permissionModel)
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

/** Rules are decided differently for nobody, and where there is no role. */
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

import { appPermissions } from './app-permissions.ts'
import { isOpen, same, type Coverage } from './escalation.ts'
import { attachedPolicies, type Permission, type Policy, type PermissionModel } from './permissions.ts'

/**
 * A requirement of a policy on its holder: a validation, a preset of a field that the holder cannot write, or a second
 * factor. The requirements of all policies apply together, so losing a policy may widen what another policy allows.
 */
interface Obligation {
  /** The permissions that it applies to; null: all. */
  readonly scope: Scope | null
  readonly content: unknown
  /** IP addresses that it applies to; empty: all. */
  readonly addresses: readonly string[]
}

type Scope = Pick<Permission, 'collection' | 'action'>

const isIn =
  ({ collection, action }: Scope) =>
  (permission: Scope) =>
    permission.collection === collection && permission.action === action

const permissionsOf = ({ permissions, isApp }: Policy): readonly Permission[] =>
  isApp ? [...permissions, ...appPermissions] : permissions

function obligationsOf(policies: readonly Policy[]): Obligation[] {
  const validations = policies.flatMap((policy) =>
    permissionsOf(policy).flatMap(({ collection, action, validation }) =>
      isOpen(validation) ? [] : { scope: { collection, action }, content: { validation }, addresses: policy.addresses },
    ),
  )
  const factors = policies.flatMap(({ enforcesTfa, addresses }) =>
    enforcesTfa ? { scope: null, content: 'second factor', addresses } : [],
  )
  return [...validations, ...factors, ...forcedPresets(policies)]
}

/** Presets of fields that the holder cannot write. Later presets override earlier ones, so their order matters. */
function forcedPresets(policies: readonly Policy[]): Obligation[] {
  const all = policies.flatMap((policy) => policy.permissions)
  const forced = new Map<string, { readonly scope: Scope; readonly values: unknown[] }>()
  for (const { permissions, addresses } of policies)
    for (const { collection, action, presets } of permissions)
      for (const [field, value] of Object.entries(presets ?? {})) {
        if (all.filter(isIn({ collection, action })).some(({ fields }) => fields === 'all' || fields.has(field)))
          continue
        const name = JSON.stringify([collection, action, field])
        const entry = forced.get(name) ?? { scope: { collection, action }, values: [] }
        entry.values.push([value, addresses])
        forced.set(name, entry)
      }
  return [...forced].map(([name, { scope, values }]) => ({ scope, content: { preset: name, values }, addresses: [] }))
}

const isKept = (obligation: Obligation, after: readonly Obligation[]): boolean =>
  after.some(
    ({ scope, content, addresses }) =>
      same(scope, obligation.scope) &&
      same(content, obligation.content) &&
      (addresses.length === 0 || same([...addresses].sort(), [...obligation.addresses].sort())),
  )

/**
 * Whether every user whom a required validation no longer binds can do only what the caller can do too. `roleOf` gives
 * the roles of users with directly attached policies; it is called only if there is such a user.
 */
export async function areReleasedUsersCovered(
  before: PermissionModel,
  after: PermissionModel,
  coverage: Coverage,
  roleOf: (users: readonly string[]) => Promise<ReadonlyMap<string, string | null>>,
): Promise<boolean> {
  const roles = [...after.roles.keys(), null]
  const users = [...new Set(after.attachments.flatMap(({ user }) => user ?? []))]
  const sheds = (user: string | null, role: string | null) =>
    lostBy(attachedPolicies({ user, role }, before), attachedPolicies({ user, role }, after)).length > 0
  if (!roles.some((role) => sheds(null, role)) && !users.some((user) => sheds(user, null))) return true
  const known = await roleOf(users)
  const holders = [
    ...roles.map((role) => ({ user: null, role })),
    ...users.map((user) => ({ user, role: known.get(user) ?? null })),
  ]
  return holders.every((holder) => {
    const now = attachedPolicies(holder, after)
    return lostBy(attachedPolicies(holder, before), now).every(({ scope }) => isRemainderCovered(now, scope, coverage))
  })
}

const lostBy = (before: readonly Policy[], after: readonly Policy[]): Obligation[] => {
  const kept = obligationsOf(after)
  return obligationsOf(before).filter((obligation) => !isKept(obligation, kept))
}

/** Whether the caller covers all that the holder can still do in this scope, under the remaining validations. */
function isRemainderCovered(policies: readonly Policy[], scope: Scope | null, coverage: Coverage): boolean {
  const concerned = (permission: Permission) => scope === null || isIn(scope)(permission)
  return policies.every((policy) => {
    const { addresses } = policy
    const beside = policies.filter((other) => other.addresses.length === 0 || same(other.addresses, addresses))
    return policy.permissions
      .filter(concerned)
      .every((permission) =>
        coverage.permission(permission, addresses, beside.flatMap(permissionsOf).filter(isIn(permission))),
      )
  })
}

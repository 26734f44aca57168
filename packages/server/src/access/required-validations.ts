import { appPermissions } from './app-permissions.ts'
import { isOpen, same, type Coverage } from './escalation.ts'
import { attachedPolicies, type Permission, type Policy, type PermissionModel } from './permissions.ts'

/**
 * Everything that a holder's policies ask of them: validations, presets of fields they cannot write, a second factor.
 * All of it counts together, so a policy that a holder loses may open what another of their policies allows.
 */
interface Obligation {
  /** The permissions that are held to it; null: all of them. */
  readonly scope: Scope | null
  readonly content: unknown
  /** Addresses it counts for; empty: all. */
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

/** Presets of fields that the holder cannot send a value for. Later ones go over earlier ones, so the order belongs to it. */
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
 * Whether everybody who is held to less than before can do only what the caller could do as well. `roleOf` gives the role of
 * users who have policies of their own; it is asked when somebody has lost something.
 */
export async function areSheddersCovered(
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

/** What is left to do for a holder is nothing that the caller could not do, under as many validations. */
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

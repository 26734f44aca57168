import { parseFilter } from '../query/parse-filter.ts'
import { ruleConstants } from '../query/values.ts'
import type { Actor } from './actor.ts'
import { roleChain, type Permission, type Policy, type PermissionModel } from './permissions.ts'

/** What somebody could hand on to others: nothing that they do not hold themselves. */
export interface Coverage {
  /** `beside`: what else its holder has for the same collection and action, whose validations and presets count too. */
  readonly permission: (permission: Permission, addresses: readonly string[], beside?: readonly Permission[]) => boolean
  readonly policy: (policy: Policy) => boolean
  /** Everything that belongs to a role and its parents. */
  readonly role: (role: string | null, permissionModel: PermissionModel) => boolean
  /** Everything that belongs to a user; what the public may do is nobody's to give. */
  readonly user: (user: string, role: string | null, permissionModel: PermissionModel) => boolean
}

export function coverageOf(actor: Pick<Actor, 'isAdmin' | 'policies'>, own: PermissionModel): Coverage {
  const held = actor.policies.flatMap((id) => own.policies.get(id) ?? [])

  /** A policy that holds for some addresses covers only what is given for the same ones. */
  const lasting = (addresses: readonly string[]) =>
    held.filter((policy) => policy.addresses.length === 0 || same([...policy.addresses].sort(), [...addresses].sort()))

  const permission: Coverage['permission'] = (wanted, addresses, beside = [wanted]) => {
    const permissions = lasting(addresses).flatMap((each) => each.permissions)
    return actor.isAdmin || isCovered(wanted, permissions, beside)
  }

  const policy: Coverage['policy'] = (wanted) => {
    if (actor.isAdmin) return true
    const { isAdmin, isApp, addresses, permissions } = wanted
    const hasApp = !isApp || lasting(addresses).some((each) => each.isApp)
    return !isAdmin && hasApp && permissions.every((each) => permission(each, addresses))
  }

  const attached = (ids: readonly string[], permissionModel: PermissionModel) =>
    ids.every((id) => policy(permissionModel.policies.get(id) ?? none))
  const role: Coverage['role'] = (id, permissionModel) => {
    const chain = new Set(roleChain(id, permissionModel))
    const wanted = permissionModel.attachments.filter(
      (attachment) => attachment.role !== null && chain.has(attachment.role),
    )
    return attached(
      wanted.map((attachment) => attachment.policy),
      permissionModel,
    )
  }

  return {
    permission,
    policy,
    role,
    user: (user, ofRole, permissionModel) =>
      role(ofRole, permissionModel) &&
      attached(
        permissionModel.attachments.flatMap((attachment) => (attachment.user === user ? attachment.policy : [])),
        permissionModel,
      ),
  }
}

const none: Policy = { id: '', addresses: [], enforcesTfa: false, isAdmin: false, isApp: false, permissions: [] }

const LIMITS = { depth: 50, jsonDepth: 50, listLength: Number.MAX_SAFE_INTEGER }

/** Asks nothing. A rule that cannot be read asks what nobody meets. */
export function isOpen(rule: unknown): boolean {
  if (rule === null || rule === undefined) return true
  try {
    return parseFilter(rule, ruleConstants, LIMITS) === null
  } catch {
    return false
  }
}

function isCovered(wanted: Permission, held: readonly Permission[], beside: readonly Permission[]): boolean {
  const { collection, action, rule, fields, presets } = wanted
  const alike = held.filter((each) => each.collection === collection && each.action === action)
  const useful = action === 'create' ? alike : alike.filter((each) => isOpen(each.rule) || same(each.rule, rule))
  if (useful.length === 0) return false
  const has = (name: string) => useful.some((each) => each.fields === 'all' || each.fields.has(name))
  if (action !== 'delete' && fields === 'all' && !useful.some((each) => each.fields === 'all')) return false
  if (action !== 'delete' && fields !== 'all' && ![...fields].every(has)) return false
  // All validations of a holder count together, so each of the caller's has to be there again.
  const isAsked = (validation: unknown) => beside.some((each) => same(each.validation, validation))
  if (!alike.every((each) => isOpen(each.validation) || isAsked(each.validation))) return false
  if (!keepsPresets(alike, beside)) return false
  return Object.entries(presets ?? {}).every(
    ([name, value]) => has(name) || alike.some((each) => each.presets !== null && same(each.presets[name], value)),
  )
}

/** A preset on a field that the caller may not write decides what the caller writes there, so it has to be there again. */
function keepsPresets(alike: readonly Permission[], beside: readonly Permission[]): boolean {
  const merged = (permissions: readonly Permission[]): Readonly<Record<string, unknown>> =>
    Object.assign({}, ...permissions.map(({ presets }) => presets ?? {})) as Readonly<Record<string, unknown>>
  const given = merged(beside)
  return Object.entries(merged(alike)).every(
    ([name, value]) =>
      alike.some(({ fields }) => fields === 'all' || fields.has(name)) ||
      (Object.hasOwn(given, name) && same(given[name], value)),
  )
}

/** Equal as JSON, in whatever order the keys stand. */
export const same = (left: unknown, right: unknown): boolean => canonical(left) === canonical(right)

const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

import { parseFilter } from '../query/parse-filter.ts'
import { ruleConstants } from '../query/values.ts'
import type { Actor } from './actor.ts'
import { roleChain, type Permission, type Policy, type PermissionModel } from './permissions.ts'

/** The permissions that a caller may grant to others: only those that the caller has. */
export interface Coverage {
  /** `beside`: all permissions of the holder for this collection and action; their validations and presets count. */
  readonly permission: (permission: Permission, addresses: readonly string[], beside?: readonly Permission[]) => boolean
  readonly policy: (policy: Policy) => boolean
  /** Whether the caller covers all policies of a role and its parents. */
  readonly role: (role: string | null, permissionModel: PermissionModel) => boolean
  /**
   * Whether the caller covers all policies of a user and its role. Public policies do not count; no caller grants them.
   */
  readonly user: (user: string, role: string | null, permissionModel: PermissionModel) => boolean
}

export function coverageOf(actor: Pick<Actor, 'isAdmin' | 'policies'>, own: PermissionModel): Coverage {
  const held = actor.policies.flatMap((id) => own.policies.get(id) ?? [])

  /** A policy limited to IP addresses covers only permissions limited to the same addresses. */
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

/** Whether a rule has no conditions. An invalid rule counts as a condition that no row meets. */
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
  // All validations of a holder apply together, so the holder needs each of the caller's validations too.
  const isAsked = (validation: unknown) => beside.some((each) => same(each.validation, validation))
  if (!alike.every((each) => isOpen(each.validation) || isAsked(each.validation))) return false
  if (!keepsPresets(alike, beside)) return false
  return Object.entries(presets ?? {}).every(
    ([name, value]) => has(name) || alike.some((each) => each.presets !== null && same(each.presets[name], value)),
  )
}

/** A preset on a field that the caller cannot write fixes the value there, so the holder needs the same preset. */
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

/** Equal as JSON, regardless of key order. */
export const same = (left: unknown, right: unknown): boolean => canonical(left) === canonical(right)

const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

import { forbidden, ServiceError } from '@tain/contract'
import { users } from '@tain/contract/collections'
import { coverageOf, isOpen, same, type Coverage } from '../../access/escalation.ts'
import { areReleasedUsersCovered } from '../../access/required-validations.ts'
import { looksNoFurther } from '../../access/rule-visibility.ts'
import type { Attachment, Permission, Policy, PermissionModel } from '../../access/permissions.ts'
import type { ChangedRow } from '../../changes/change.ts'
import type { GuardContext, Guards } from '../../engine/write/guards.ts'
import { deltaOf, userGuard } from './users.ts'

/**
 * Runs after every write that affects permissions: an active administrator must remain, and callers may only grant
 * permissions that they hold.
 */
export const checkPermissions: Guards['checkPermissions'] = async (before, changes, context) => {
  if (!context.actor.isAdmin) await checkGrowth(before, changes, context)
  if (!(await context.hasAdministrator()))
    throw new ServiceError('UNPROCESSABLE_CONTENT', 'There has to be at least one active administrator.')
}

async function checkGrowth(
  before: PermissionModel,
  changes: readonly ChangedRow[],
  context: GuardContext,
): Promise<void> {
  const coverage = coverageOf(context.actor, before)
  const after = await context.permissionModel()
  if (!isCovered(before, after, coverage) || !(await areUsersCovered(changes, after, coverage, context)))
    throw forbidden('You cannot grant permissions that you do not have.')
  if (!(await areReleasedUsersCovered(before, after, coverage, (ids) => rolesOf(ids, context))))
    throw forbidden('You cannot remove a condition on permissions that you do not have.')
  const { actor, schema } = context
  const held = actor.policies.flatMap((id) => before.policies.get(id)?.permissions ?? [])
  const written = [...after.policies.values()].flatMap((policy) =>
    newPermissions(before.policies.get(policy.id), policy),
  )
  if (!written.every((permission) => looksNoFurther(permission, held, schema)))
    throw forbidden('You cannot write rules on what you may not read.')
}

function isCovered(before: PermissionModel, after: PermissionModel, coverage: Coverage): boolean {
  return (
    [...after.policies.values()].every((policy) => isPolicyCovered(before.policies.get(policy.id), policy, coverage)) &&
    newAttachments(before, after).every(({ policy: id }) => {
      const policy = after.policies.get(id)
      return policy === undefined || coverage.policy(policy)
    }) &&
    [...after.roles.values()].every(
      ({ id, parent }) => parent === null || before.roles.get(id)?.parent === parent || coverage.role(parent, after),
    ) &&
    lostValidations(before, after).every(({ permission, addresses }) =>
      coverage.permission({ ...permission, validation: null }, addresses),
    )
  )
}

function isPolicyCovered(before: Policy | undefined, after: Policy, coverage: Coverage): boolean {
  const isWider =
    before !== undefined && (!same(before.addresses, after.addresses) || (before.enforcesTfa && !after.enforcesTfa))
  if (isWider) return coverage.policy(after)
  const gains = {
    ...after,
    isAdmin: after.isAdmin && before?.isAdmin !== true,
    isApp: after.isApp && before?.isApp !== true,
  }
  return coverage.policy({ ...gains, permissions: newPermissions(before, after) })
}

/** Permissions of a policy that are new or changed. */
function newPermissions(before: Policy | undefined, after: Policy): Permission[] {
  const known = new Map(before?.permissions.map((permission) => [permission.id, permission]))
  return after.permissions.filter((permission) => !isSame(known.get(permission.id), permission))
}

const isSame = (before: Permission | undefined, after: Permission) =>
  before !== undefined && same(plain(before), plain(after))

const plain = (permission: Permission) => ({
  ...permission,
  fields: permission.fields === 'all' ? '*' : [...permission.fields].sort(),
})

const name = ({ role, user, policy }: Attachment) => JSON.stringify([role, user, policy])

function newAttachments(before: PermissionModel, after: PermissionModel): Attachment[] {
  const known = new Set(before.attachments.map(name))
  return after.attachments.filter((attachment) => !known.has(name(attachment)))
}

/** All validations of a holder apply together: removing one allows more of what other permissions grant. */
function lostValidations(
  before: PermissionModel,
  after: PermissionModel,
): { permission: Permission; addresses: readonly string[] }[] {
  const attached = new Set(after.attachments.map(name))
  const detached = new Set(before.attachments.filter((each) => !attached.has(name(each))).map(({ policy }) => policy))
  return [...before.policies.values()].flatMap(({ id, addresses, permissions }) =>
    permissions
      .filter((permission) => !isOpen(permission.validation))
      .filter((permission) => {
        const now = after.policies.get(id)?.permissions.find((each) => each.id === permission.id)
        return detached.has(id) || now === undefined || !same(now.validation, permission.validation)
      })
      .map((permission) => ({ permission, addresses })),
  )
}

/** A caller who creates a user, or changes how a user logs in, could become that user. */
async function areUsersCovered(
  changes: readonly ChangedRow[],
  after: PermissionModel,
  coverage: Coverage,
  context: GuardContext,
): Promise<boolean> {
  const { permissionFields } = userGuard
  const { actor } = context
  const bears = (change: ChangedRow) => {
    if (change.action === 'create') return true
    const names = Object.keys(deltaOf(change)).filter(
      (column) => permissionFields === 'all' || permissionFields?.has(column),
    )
    return names.length > 0 && (change.key[0] !== actor.user || names.includes('role'))
  }
  const keys = changes
    .filter(({ action, collection }) => collection.isSystem && collection.table === users.name && action !== 'delete')
    .filter(bears)
    .map(({ key }) => key[0] ?? '')
  if (keys.length === 0) return true
  const found = await rolesOf(keys, context)
  return [...found].every(([id, role]) => coverage.user(id, role, after))
}

async function rolesOf(ids: readonly string[], { rows }: GuardContext): Promise<Map<string, string | null>> {
  const found = ids.length === 0 ? [] : await rows(users.name, { filter: { id: { _in: ids } }, fields: ['id', 'role'] })
  return new Map(found.map(({ id, role }) => [String(id), typeof role === 'string' ? role : null]))
}

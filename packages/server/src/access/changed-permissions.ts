import { invalidPayload } from '@tain/contract'
import type { Permission, PermissionModel, Policy } from './permissions.ts'

/** A change of permissions that is not stored. */
export type PermissionChange =
  | { readonly kind: 'put'; readonly permission: Permission & { readonly policy: string } }
  | { readonly kind: 'delete'; readonly id: number }

/** The permissions as they would be after some changes. Changes of policies or permissions that do not exist are refused. */
export function changedPermissions(model: PermissionModel, changes: readonly PermissionChange[]): PermissionModel {
  checkNames(model, changes)
  const replaced = new Set(
    changes.flatMap((change) => (change.kind === 'delete' ? [change.id] : (change.permission.id ?? []))),
  )
  const added = changes.flatMap((change) => (change.kind === 'put' ? [change.permission] : []))
  const changed = (policy: Policy): Policy => ({
    ...policy,
    permissions: [
      ...policy.permissions.filter(({ id }) => id === null || !replaced.has(id)),
      ...added.filter((permission) => permission.policy === policy.id),
    ],
  })
  return { ...model, policies: new Map([...model.policies].map(([id, policy]) => [id, changed(policy)])) }
}

function checkNames({ policies }: PermissionModel, changes: readonly PermissionChange[]): void {
  const ids = new Set([...policies.values()].flatMap(({ permissions }) => permissions.map(({ id }) => id)))
  for (const change of changes) {
    const id = change.kind === 'delete' ? change.id : change.permission.id
    if (id !== null && !ids.has(id)) throw invalidPayload(`There is no permission with the id ${id}`)
    if (change.kind === 'put' && !policies.has(change.permission.policy))
      throw invalidPayload(`There is no policy with the key "${change.permission.policy}"`)
  }
}

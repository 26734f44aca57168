import type { SnapshotRow, SnapshotSections } from '@tain/contract'
import {
  permissionModelFrom,
  type Attachment,
  type PermissionModel,
  type Role,
  type StoredPermission,
  type StoredPolicy,
} from '../../access/permissions.ts'

const needed = ['roles', 'policies', 'access', 'permissions'] as const

/** The permissions of a snapshot; null: it has not all of the sections. Users are in no snapshot. */
export function offlinePermissions(sections: Partial<SnapshotSections>): PermissionModel | null {
  if (needed.some((section) => sections[section] === undefined)) return null
  const { roles = [], policies = [], access = [], permissions = [] } = sections
  return permissionModelFrom({
    version: 0,
    roles: roles.map((row) => row as unknown as Role),
    policies: policies.map((row) => row as unknown as StoredPolicy),
    attachments: access
      .toSorted((a, b) => Number(a['sort'] ?? 0) - Number(b['sort'] ?? 0))
      .map((row) => ({ ...(row as unknown as Attachment), user: null })),
    permissions: permissions.flatMap(rulesOf),
  })
}

const rulesOf = ({ rules, ...names }: SnapshotRow): readonly StoredPermission[] =>
  (rules as readonly SnapshotRow[]).map((rule) => ({ id: null, ...names, ...rule }) as unknown as StoredPermission)

/** The roles of a snapshot by name. */
export const offlineRoles = ({ roles = [] }: Partial<SnapshotSections>): readonly { id: string; name: string }[] =>
  roles.map(({ id, name }) => ({ id: String(id), name: String(name) }))

import { absentNames, ruleProblem } from '../access/rule-problems.ts'
import type { PermissionModel } from '../access/permissions.ts'
import type { Observe } from '../observe.ts'
import type { Schema } from '../schema/schema.ts'

/** Reports permissions that were stored before rules were checked, or whose fields no longer exist. */
export function reportRules({ policies }: PermissionModel, schema: Schema, observe: Observe): void {
  for (const { permissions } of policies.values())
    for (const permission of permissions) {
      const collection = schema.collections.get(permission.collection)
      const reason = collection === undefined ? null : ruleProblem(permission, collection, schema)
      if (reason !== null) observe({ kind: 'permission-unusable', permission: permission.id, reason })
      const names = absentNames(permission, schema)
      if (names.length > 0) observe({ kind: 'permission-idle', permission: permission.id, names })
    }
}

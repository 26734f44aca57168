import {
  access,
  comments,
  folders,
  notifications,
  permissions,
  policies,
  presets,
  roles,
  settings,
  users,
} from '@tain/contract/collections'
import type { Guard, Guards } from '../../engine/write/guards.ts'
import { folderGuard } from './folders.ts'
import { checkPermissions } from './escalation.ts'
import { commentGuard, notificationGuard, presetGuard } from './own-rows.ts'
import { permissionGuard } from './permissions.ts'
import { policyGuard } from './policies.ts'
import { roleGuard } from './roles.ts'
import { settingsGuard } from './settings.ts'
import { userGuard } from './users.ts'

const accessGuard: Guard = { permissionFields: 'all' }

/** Guards for writes to system collections. To add one, add a file and a line here. */
export const guards: Guards = {
  byName: new Map([
    [users.name, userGuard],
    [roles.name, roleGuard],
    [policies.name, policyGuard],
    [access.name, accessGuard],
    [permissions.name, permissionGuard],
    [settings.name, settingsGuard],
    [presets.name, presetGuard],
    [notifications.name, notificationGuard],
    [comments.name, commentGuard],
    [folders.name, folderGuard],
  ]),
  checkPermissions,
}

import type { Guard, Guards } from '../../engine/write/guards.ts'
import { access } from '../collections/access.ts'
import { comments } from '../collections/comments.ts'
import { folders } from '../collections/folders.ts'
import { notifications } from '../collections/notifications.ts'
import { permissions } from '../collections/permissions.ts'
import { policies } from '../collections/policies.ts'
import { presets } from '../collections/presets.ts'
import { roles } from '../collections/roles.ts'
import { settings } from '../collections/settings.ts'
import { users } from '../collections/users.ts'
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

import {
  access,
  comments,
  files,
  folders,
  notifications,
  permissions,
  policies,
  presets,
  roles,
  settings,
  users,
  webhooks,
} from '@tain/contract/collections'
import type { Guard, Guards } from '../../engine/write/guards.ts'
import type { PictureLimits } from '../../files/pictures/presets.ts'
import { createFileGuard, type FileGuardOptions } from './files.ts'
import { folderGuard } from './folders.ts'
import { checkPermissions } from './escalation.ts'
import { commentGuard, notificationGuard, presetGuard } from './own-rows.ts'
import { permissionGuard } from './permissions.ts'
import { policyGuard } from './policies.ts'
import { roleGuard } from './roles.ts'
import { createSettingsGuard } from './settings.ts'
import { userGuard } from './users.ts'
import { createWebhookGuard, type WebhookGuardOptions } from './webhooks.ts'

const accessGuard: Guard = { permissionFields: 'all' }

export interface GuardOptions extends FileGuardOptions {
  /** What presets of pictures may ask for. */
  readonly pictures: PictureLimits
  readonly webhooks: WebhookGuardOptions
}

/** Guards for writes to system collections. To add one, add a file and a line here. */
export const createGuards = (options: GuardOptions): Guards => ({
  byName: new Map([
    [files.name, createFileGuard(options)],
    [users.name, userGuard],
    [roles.name, roleGuard],
    [policies.name, policyGuard],
    [access.name, accessGuard],
    [permissions.name, permissionGuard],
    [settings.name, createSettingsGuard(options.pictures)],
    [presets.name, presetGuard],
    [notifications.name, notificationGuard],
    [comments.name, commentGuard],
    [folders.name, folderGuard],
    [webhooks.name, createWebhookGuard(options.webhooks)],
  ]),
  checkPermissions,
})

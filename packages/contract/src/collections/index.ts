import { access } from './access.ts'
import { activity } from './activity.ts'
import type { SystemCollection, SystemCollectionName } from './collection.ts'
import { comments } from './comments.ts'
import { dashboards } from './dashboards.ts'
import { deliveries } from './deliveries.ts'
import { files } from './files.ts'
import { folders } from './folders.ts'
import { notifications } from './notifications.ts'
import { panels } from './panels.ts'
import { permissions } from './permissions.ts'
import { policies } from './policies.ts'
import { presets } from './presets.ts'
import { revisions } from './revisions.ts'
import { roles } from './roles.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { translations } from './translations.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

export type * from './collection.ts'
export { dashboards, deliveries, panels, webhooks }
export { access, activity, comments, files, folders, notifications, permissions, policies }
export { presets, revisions, roles, sessions, settings, translations, users }

/** All collections of the service itself, referenced ones first. Plain data. */
export const collections = {
  service_activity: activity,
  service_revisions: revisions,
  service_roles: roles,
  service_users: users,
  service_policies: policies,
  service_access: access,
  service_permissions: permissions,
  service_sessions: sessions,
  service_folders: folders,
  service_files: files,
  service_settings: settings,
  service_presets: presets,
  service_notifications: notifications,
  service_comments: comments,
  service_translations: translations,
  service_dashboards: dashboards,
  service_panels: panels,
  service_webhooks: webhooks,
  service_deliveries: deliveries,
} as const satisfies { readonly [N in SystemCollectionName]: SystemCollection & { readonly name: N } }

export type SystemCollections = typeof collections

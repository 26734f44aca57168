import type { SystemCollectionName } from '@tain/contract/collections'
import type { OperationNames } from './item-operations.ts'

/** In the plural and in the singular, as generated clients know them. */
const words: Readonly<Record<SystemCollectionName, readonly [many: string, one: string]>> = {
  service_access: ['AccessEntries', 'AccessEntry'],
  service_activity: ['Activities', 'Activity'],
  service_comments: ['Comments', 'Comment'],
  service_dashboards: ['Dashboards', 'Dashboard'],
  service_deliveries: ['Deliveries', 'Delivery'],
  service_files: ['Files', 'File'],
  service_folders: ['Folders', 'Folder'],
  service_notifications: ['Notifications', 'Notification'],
  service_panels: ['Panels', 'Panel'],
  service_permissions: ['Permissions', 'Permission'],
  service_policies: ['Policies', 'Policy'],
  service_presets: ['Presets', 'Preset'],
  service_revisions: ['Revisions', 'Revision'],
  service_roles: ['Roles', 'Role'],
  service_sessions: ['Sessions', 'Session'],
  service_settings: ['Settings', 'Settings'],
  service_translations: ['Translations', 'Translation'],
  service_users: ['Users', 'User'],
  service_webhooks: ['Webhooks', 'Webhook'],
}

export function systemOperationNames(name: SystemCollectionName): OperationNames {
  const [many, one] = words[name]
  return {
    list: `get${many}`,
    search: `search${many}`,
    query: `query${many}`,
    create: `create${one}`,
    update: `update${many}`,
    delete: `delete${many}`,
    upsert: `upsert${many}`,
    read: `get${one}`,
    updateOne: `update${one}`,
    deleteOne: `delete${one}`,
    upsertOne: `upsert${one}`,
  }
}

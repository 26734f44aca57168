/** What becomes of a table of Directus: the table that takes its rows, or the reason why none does. */
export type TableFate = { readonly to: string; readonly taken: string } | { readonly reason: string }

/** Every table of Directus that this version knows. */
export const directusTables = {
  directus_collections: { to: 'service_collections', taken: 'all metadata of collections and folders' },
  directus_fields: { to: 'service_fields', taken: 'all metadata of fields, columns and aliases' },
  directus_relations: { to: 'service_relations', taken: 'all relations, with their field names' },
  directus_folders: { to: 'service_folders', taken: 'all folders' },
  directus_roles: { to: 'service_roles', taken: 'all roles, with their parents' },
  directus_policies: { to: 'service_policies', taken: 'all policies' },
  directus_users: {
    to: 'service_users',
    taken: 'all users with password, static token and second factor; without avatar, last access and provider data',
  },
  directus_access: { to: 'service_access', taken: 'which policies a role, a user and the public have' },
  directus_permissions: { to: 'service_permissions', taken: 'permissions whose rules the service can apply' },
  directus_presets: { to: 'service_presets', taken: 'all bookmarks and presets' },
  directus_settings: { to: 'service_settings', taken: 'settings that the service has too, except files' },
  directus_translations: { to: 'service_translations', taken: 'all translations' },
  directus_files: {
    to: 'service_files',
    taken: 'all finished files without their times; their content stays where it is',
  },
  directus_dashboards: { to: 'service_dashboards', taken: 'all dashboards without their times' },
  directus_panels: { to: 'service_panels', taken: 'all panels without their times' },
  directus_flows: { reason: 'There are no flows.' },
  directus_operations: { reason: 'There are no flows.' },
  directus_webhooks: { reason: 'Webhooks of Directus are not taken. Create them anew at /webhooks.' },
  directus_shares: { reason: 'There are no shared links. Links that were sent no longer work.' },
  directus_versions: { reason: 'There are no content versions. Promote or discard them first.' },
  directus_extensions: { reason: 'Extensions of Directus do not run in this service.' },
  directus_comments: { reason: 'Comments are not taken.' },
  directus_notifications: { reason: 'Notifications are not taken.' },
  directus_activity: { reason: 'The activity log starts anew.' },
  directus_revisions: { reason: 'Revisions start anew.' },
  directus_sessions: { reason: 'Users sign in again.' },
  directus_migrations: { reason: 'The migrations belong to Directus.' },
} as const satisfies Readonly<Record<string, TableFate>>

export type DirectusTable = keyof typeof directusTables

export const PREFIX = 'directus_'

export const isDirectus = (name: string): boolean => name.startsWith(PREFIX)

/** Tables whose loss nobody has to act on. */
export const expendable: ReadonlySet<string> = new Set(['directus_migrations', 'directus_sessions'])

/** Columns with secrets. They stay in the old tables, and are concealed there. */
export const secretColumns: Readonly<Record<string, readonly string[]>> = {
  directus_users: ['password', 'token', 'tfa_secret', 'auth_data'],
  directus_sessions: ['token', 'next_token'],
  directus_shares: ['password'],
}

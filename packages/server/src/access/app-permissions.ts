import type { Action, Permission } from './permissions.ts'

const all = 'all' as const

const row = (
  collection: string,
  action: Action,
  rule: unknown,
  fields: 'all' | readonly string[] = all,
  validation: unknown = null,
  presets: Permission['presets'] = null,
): Permission => ({
  id: null,
  policy: null,
  collection: `service_${collection}`,
  action,
  rule,
  validation,
  presets,
  fields: fields === 'all' ? all : new Set(fields),
})

const me = '$CURRENT_USER'
const own = (field: string) => ({ [field]: { _eq: me } })

/** Permissions that every user with app access has in addition to the stored ones. */
export const appPermissions: readonly Permission[] = [
  row('activity', 'read', own('user')),
  row('comments', 'read', own('user_created')),
  row('comments', 'create', null, all, { comment: { _nnull: true } }),
  row('comments', 'update', own('user_created'), ['comment']),
  row('comments', 'delete', own('user_created')),
  row('presets', 'read', {
    _or: [
      own('user'),
      { _and: [{ user: { _null: true } }, { role: { _eq: '$CURRENT_ROLE' } }] },
      { _and: [{ user: { _null: true } }, { role: { _null: true } }] },
    ],
  }),
  row('presets', 'create', null, all, own('user'), { user: me }),
  row('presets', 'update', own('user'), all, own('user')),
  row('presets', 'delete', own('user')),
  row('roles', 'read', { id: { _in: '$CURRENT_ROLES' } }),
  row('settings', 'read', null, [
    'id',
    'project_url',
    'project_logo',
    'module_bar',
    'storage_asset_transform',
    'storage_asset_transform_public',
    'storage_asset_presets',
    'custom_aspect_ratios',
    'basemaps',
    'mapbox_key',
    'visual_editor_urls',
    'report_error_url',
    'default_save_action',
  ]),
  row('translations', 'read', null),
  row('notifications', 'read', own('recipient')),
  row('notifications', 'update', own('recipient'), ['status']),
  row('users', 'read', own('id'), [
    'id',
    'first_name',
    'last_name',
    'last_page',
    'email',
    'password',
    'location',
    'title',
    'description',
    'tags',
    'provider',
    'avatar',
    'language',
    'appearance',
    'theme_light',
    'theme_dark',
    'tfa_secret',
    'status',
    'role',
  ]),
]

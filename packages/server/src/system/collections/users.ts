import type { SystemCollection } from '../../schema/system-collection.ts'

export const users: SystemCollection = {
  name: 'service_users',
  path: 'users',
  note: 'People and programs that sign in.',
  key: 'id',
  isReadOnly: false,
  accountability: 'all',
  columns: {
    id: { type: 'uuid', special: 'uuid' },
    first_name: { type: 'text', isNullable: true },
    last_name: { type: 'text', isNullable: true },
    email: { type: 'text', isNullable: true },
    password: { type: 'text', isNullable: true, special: 'hash,conceal' },
    location: { type: 'text', isNullable: true },
    title: { type: 'text', isNullable: true },
    description: { type: 'text', isNullable: true },
    tags: { type: 'json', isNullable: true },
    avatar: { type: 'uuid', isNullable: true },
    language: { type: 'text', isNullable: true },
    text_direction: { type: 'text', default: 'auto' },
    tfa_secret: { type: 'text', isNullable: true, special: 'conceal' },
    status: { type: 'text', default: 'active' },
    role: {
      type: 'uuid',
      isNullable: true,
      isIndexed: true,
      to: { collection: 'service_roles', list: 'users', onDelete: 'SET NULL' },
    },
    token: { type: 'text', isNullable: true, isUnique: true, special: 'conceal' },
    last_access: { type: 'timestamp', isNullable: true },
    last_page: { type: 'text', isNullable: true },
    provider: { type: 'text', default: 'default' },
    external_identifier: { type: 'text', isNullable: true, isUnique: true },
    auth_data: { type: 'json', isNullable: true, special: 'conceal' },
    email_notifications: { type: 'boolean', default: true },
    appearance: { type: 'text', isNullable: true },
    theme_light: { type: 'text', isNullable: true },
    theme_dark: { type: 'text', isNullable: true },
    theme_light_overrides: { type: 'json', isNullable: true },
    theme_dark_overrides: { type: 'json', isNullable: true },
  },
  hidden: {
    // What addresses are compared by.
    email_key: { type: 'text', isNullable: true, isUnique: true, lowerCaseOf: 'email' },
    // The last step of the second factor that was used; none is used twice.
    tfa_step: { type: 'counter', isNullable: true },
    // Failed sign-ins in a row.
    failed_logins: { type: 'integer', default: 0 },
  },
}

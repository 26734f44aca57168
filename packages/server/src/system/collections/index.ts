import type { SystemCollection } from '../../schema/system-collection.ts'
import { access } from './access.ts'
import { activity } from './activity.ts'
import { comments } from './comments.ts'
import { folders } from './folders.ts'
import { notifications } from './notifications.ts'
import { permissions } from './permissions.ts'
import { policies } from './policies.ts'
import { presets } from './presets.ts'
import { revisions } from './revisions.ts'
import { roles } from './roles.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { translations } from './translations.ts'
import { users } from './users.ts'

/** The system collections, referenced ones first. To add one, add a file and a line here. */
export const systemCollections: readonly SystemCollection[] = [
  activity,
  revisions,
  roles,
  users,
  policies,
  access,
  permissions,
  sessions,
  folders,
  settings,
  presets,
  notifications,
  comments,
  translations,
]

import { collections } from '@tain/contract/collections'
import { isDirectus, PREFIX } from './tables.ts'

/** The service's collection with the same meaning as a table of Directus; null: none. */
export function equalOf(name: string): string | null {
  const equal = `service_${name.slice(PREFIX.length)}`
  return isDirectus(name) && Object.hasOwn(collections, equal) && equal !== 'service_sessions' ? equal : null
}

/** Tables whose rows keep their keys, so that a relation to them can lead to the service's collection instead. */
const moved: ReadonlySet<string> = new Set([
  'directus_users',
  'directus_roles',
  'directus_policies',
  'directus_folders',
  'directus_files',
  'directus_translations',
])

export const isMoved = (table: string): boolean => moved.has(table)

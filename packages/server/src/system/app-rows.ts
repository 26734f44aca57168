import type { Actor } from '../access/actor.ts'
import { appPermissions } from '../access/app-permissions.ts'
import type { Query } from '../query/query.ts'

/**
 * Permissions that come with the app are stored nowhere, and are listed after those that are. Who looks for some of the stored
 * ones does not get them. Rows as JSON texts.
 */
export function appRows({ hasAppAccess }: Actor, { select, filter, search, aggregate }: Query): string[] {
  if (!hasAppAccess || filter !== null || search !== null || aggregate !== null) return []
  const isAll = select.length === 0 || select.some(({ kind }) => kind === 'all')
  const names = new Set(select.flatMap((selection) => (selection.kind === 'all' ? [] : [selection.name])))
  return appPermissions.map(({ collection, action, rule, validation, presets, fields }) => {
    const row = {
      collection,
      action,
      permissions: rule,
      validation,
      presets,
      fields: fields === 'all' ? ['*'] : [...fields],
    }
    const shown = Object.entries(row).filter(([name]) => isAll || names.has(name))
    return JSON.stringify({ ...Object.fromEntries(shown), system: true })
  })
}

import type { Actor } from '../../access/actor.ts'
import { appPermissions } from '../../access/app-permissions.ts'
import type { AbortFlag } from '../../lib/abort-flag.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import type { Query } from '../../query/query.ts'
import type { Engine } from '../engine.ts'
import type { Read, Rows } from '../read.ts'

const PERMISSIONS = 'service_permissions'

/** Permissions of app access are listed with the stored ones, but have neither key nor policy. */
export const listsUnstored = (collection: string, isSystem: boolean | undefined): boolean =>
  isSystem === true && collection === PERMISSIONS

/**
 * A list of rows. Permissions are always listed completely, regardless of the limit, and include
 * the unstored ones; `mark` contains extra properties of those.
 */
export async function listRows(
  engine: Pick<Engine, 'list' | 'renew'>,
  actor: Actor,
  read: Read,
  signal: AbortFlag | undefined,
  mark: Readonly<Record<string, unknown>> = {},
): Promise<Rows> {
  if (!listsUnstored(read.collection, read.isSystem) || read.query.aggregate !== null)
    return engine.list(actor, read, signal)
  const caller = await engine.renew(actor)
  const query = { ...read.query, limit: -1, offset: null }
  const { rows, meta } = await engine.list(caller, { ...read, query, queryKey: queryKeyOf(query), seek: null }, signal)
  return { rows: [...rows, ...unstoredRows(caller, query, mark)], meta }
}

/** A filter or a search excludes the unstored permissions. */
function unstoredRows(
  { hasAppAccess }: Actor,
  { select, filter, search }: Query,
  mark: Readonly<Record<string, unknown>>,
): string[] {
  if (!hasAppAccess || filter !== null || search !== null) return []
  return appPermissions.map(({ collection, action, rule, validation, presets, fields }) => {
    const row: Readonly<Record<string, unknown>> = {
      collection,
      action,
      permissions: rule,
      validation,
      presets,
      fields: fields === 'all' ? ['*'] : [...fields],
    }
    return JSON.stringify({ ...(select.length === 0 ? row : selected(row, select)), ...mark })
  })
}

function selected(row: Readonly<Record<string, unknown>>, select: Query['select']): Readonly<Record<string, unknown>> {
  const shown: Record<string, unknown> = {}
  for (const selection of select) {
    if (selection.kind === 'all') Object.assign(shown, row)
    else if (selection.kind === 'constant') shown[selection.as] = selection.text
    else if (selection.kind === 'field') shown[selection.as] = row[selection.name] ?? null
    else if (selection.kind === 'function') shown[selection.under ?? selection.as] = null
    else shown[selection.as] = null
  }
  return shown
}

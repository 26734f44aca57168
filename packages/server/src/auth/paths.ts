import { createHash } from 'node:crypto'
import { ServiceError } from '@tain/contract'
import { administrator, type Actor } from '../access/actor.ts'
import type { Permission } from '../access/permissions.ts'
import type { Engine } from '../engine/engine.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import { isPathVariable } from '../query/variables.ts'

/** Variables with a path that occur in permissions. */
export function pathsIn(permissions: readonly Permission[]): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (isPathVariable(value)) found.add(value)
    else if (Array.isArray(value)) for (const entry of value) look(entry)
    else if (typeof value === 'object' && value !== null) for (const entry of Object.values(value)) look(entry)
  }
  for (const { rule, validation, presets } of permissions) look([rule, validation, presets])
  return found
}

/** Adds the current values of variables with paths to an actor. */
export type WithPaths = (actor: Actor, paths: ReadonlySet<string>) => Promise<Actor>

/** Where each variable starts: the collection and the keys of its rows. */
const roots: Readonly<Record<string, { collection: string; keys: (actor: Actor) => readonly (string | null)[] }>> = {
  $CURRENT_USER: { collection: 'service_users', keys: ({ user }) => [user] },
  $CURRENT_ROLE: { collection: 'service_roles', keys: ({ role }) => [role] },
  $CURRENT_ROLES: { collection: 'service_roles', keys: ({ roles }) => roles },
  $CURRENT_POLICIES: { collection: 'service_policies', keys: ({ policies }) => policies },
}

const ofMany = new Set(['$CURRENT_ROLES', '$CURRENT_POLICIES'])

export function createWithPaths(engine: Engine, limits: QueryLimits): WithPaths {
  /** The values at the end of a path; null or an empty list if there are none. */
  const read = async (variable: string, actor: Actor): Promise<unknown> => {
    const [root = '', ...path] = variable.split('.')
    const { collection, keys } = roots[root] ?? { collection: '', keys: () => [] }
    const known = keys(actor).filter((key) => key !== null)
    if (known.length === 0) return null
    const { query, values } = parseQuery(
      { fields: [path.join('.')], filter: { id: { _in: known } }, limit: -1 },
      limits,
    )
    const request = { collection, isSystem: true, query, queryKey: JSON.stringify(query), values }
    const { rows } = await engine.list(administrator, { ...request, meta: [], cursor: null, key: null })
    const found = rows.flatMap((row) => valuesAt(JSON.parse(row), path))
    const isList = ofMany.has(root) || rows.some((row) => crossesList(JSON.parse(row), path))
    return isList ? found : (found[0] ?? null)
  }

  const readOrNothing = async (variable: string, actor: Actor): Promise<unknown> => {
    try {
      return await read(variable, actor)
    } catch (error) {
      // A missing field has no value, and a rule that needs it allows no rows.
      if (error instanceof ServiceError && error.status < 500) return null
      throw error
    }
  }

  return async (actor, paths) => {
    if (paths.size === 0) return actor
    const entries = await Promise.all(
      [...paths].map(async (variable) => [variable, await readOrNothing(variable, actor)] as const),
    )
    const digest = createHash('sha256').update(JSON.stringify(entries)).digest('base64url').slice(0, 16)
    return { ...actor, paths: new Map(entries), grantKey: `${actor.grantKey} ${digest}` }
  }
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((entry) => valuesAt(entry, name === undefined ? [] : [name, ...rest]))
  if (name === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  return valuesAt((value as Readonly<Record<string, unknown>>)[name], rest)
}

function crossesList(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return true
  if (name === undefined || typeof value !== 'object' || value === null) return false
  return crossesList((value as Readonly<Record<string, unknown>>)[name], rest)
}

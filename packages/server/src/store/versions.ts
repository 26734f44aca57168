import type { Actor } from '../access/actor.ts'
import type { Schema } from '../schema/schema.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'

/** The versions that a statement returns as text: schema version, a dot, permission version. */
export interface Versions {
  readonly schemaVersion: number
  readonly permissionVersion: number
}

export function readVersions(text: string | null | undefined): Versions {
  const [schemaVersion, permissionVersion] = (text ?? '').split('.')
  return { schemaVersion: Number(schemaVersion), permissionVersion: Number(permissionVersion) }
}

/** The versions that a result must carry to be valid. The service itself accepts any permission version. */
export const versionsOf = ({ version }: Schema, { permissionVersion }: Actor): string =>
  `${version}.${permissionVersion ?? '%'}`

export function isCurrent(text: string | null | undefined, schema: Schema, actor: Actor): boolean {
  if (actor.permissionVersion === null) return text?.startsWith(`${schema.version}.`) === true
  return text === versionsOf(schema, actor)
}

/** Schema and caller for the versions in `text`; the same objects if nothing has changed. */
export async function renewed(
  text: string | null | undefined,
  schema: Schema,
  actor: Actor,
  schemaCache: SchemaCache,
): Promise<{ schema: Schema; actor: Actor }> {
  const { schemaVersion, permissionVersion } = readVersions(text)
  return {
    schema: schemaVersion === schema.version ? schema : await schemaCache.atLeast(schemaVersion),
    actor:
      actor.permissionVersion === null || actor.permissionVersion >= permissionVersion
        ? actor
        : await actor.renew(permissionVersion),
  }
}

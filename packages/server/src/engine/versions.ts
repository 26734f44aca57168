import type { Actor } from '../access/actor.ts'
import type { Schema } from '../schema/schema.ts'
import type { Snapshot } from '../schema/schema-cache.ts'

/** The versions that a statement brings back: structure, a dot, rights. */
export interface Versions {
  readonly schemaVersion: number
  readonly permissionVersion: number
}

export function readVersions(text: string | null | undefined): Versions {
  const [schemaVersion, permissionVersion] = (text ?? '').split('.')
  return { schemaVersion: Number(schemaVersion), permissionVersion: Number(permissionVersion) }
}

/** What an answer has to bring back to count. The service itself works under any rights. */
export const versionsOf = ({ version }: Schema, { permissionVersion }: Actor): string =>
  `${version}.${permissionVersion ?? '%'}`

export function isCurrent(text: string | null | undefined, schema: Schema, actor: Actor): boolean {
  if (actor.permissionVersion === null) return text?.startsWith(`${schema.version}.`) === true
  return text === versionsOf(schema, actor)
}

/** Structure and caller of the versions that a stamp names; the same objects where nothing has changed. */
export async function renewed(
  text: string | null | undefined,
  schema: Schema,
  actor: Actor,
  snapshot: Snapshot,
): Promise<{ schema: Schema; actor: Actor }> {
  const { schemaVersion, permissionVersion } = readVersions(text)
  return {
    schema: schemaVersion === schema.version ? schema : await snapshot.atLeast(schemaVersion),
    actor:
      actor.permissionVersion === null || actor.permissionVersion >= permissionVersion
        ? actor
        : await actor.renew(permissionVersion),
  }
}

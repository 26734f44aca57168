import type { Actor } from '../access/actor.ts'
import type { Schema } from '../schema/schema.ts'
import type { Snapshot } from '../schema/snapshot.ts'

/** The versions that a statement brings back: structure, a dot, rights. */
export interface Stamp {
  readonly structure: number
  readonly rights: number
}

export function readStamp(text: string | null | undefined): Stamp {
  const [structure, rights] = (text ?? '').split('.')
  return { structure: Number(structure), rights: Number(rights) }
}

/** What an answer has to bring back to count. The service itself works under any rights. */
export const stampOf = ({ version }: Schema, { rights }: Actor): string => `${version}.${rights ?? '%'}`

export function isCurrent(text: string | null | undefined, schema: Schema, actor: Actor): boolean {
  if (actor.rights === null) return text?.startsWith(`${schema.version}.`) === true
  return text === stampOf(schema, actor)
}

/** Structure and caller of the versions that a stamp names; the same objects where nothing has changed. */
export async function renewed(
  text: string | null | undefined,
  schema: Schema,
  actor: Actor,
  snapshot: Snapshot,
): Promise<{ schema: Schema; actor: Actor }> {
  const { structure, rights } = readStamp(text)
  return {
    schema: structure === schema.version ? schema : await snapshot.atLeast(structure),
    actor: actor.rights === null || actor.rights >= rights ? actor : await actor.renew(rights),
  }
}

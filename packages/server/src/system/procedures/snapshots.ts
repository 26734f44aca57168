import { forbidden, invalidQuery, type SnapshotProcedureName, type SnapshotScope } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Implementations, Procedure } from '../../procedure.ts'
import { checkMayChange, type MetadataContext } from '../metadata.ts'
import { includedSections, type Snapshots } from '../snapshot/snapshots.ts'
import { writeText, type Format } from '../snapshot/text.ts'

export interface SnapshotServices {
  readonly engine: Engine
  readonly metadata: MetadataContext
  readonly snapshots: Snapshots
}

/** Procedures on the schema as a file. */
export const createSnapshotProcedures = (services: SnapshotServices): Implementations<SnapshotProcedureName> => ({
  readSnapshot: readSnapshot(services),
  diffSnapshot: diffSnapshot(services),
  applyDiff: applyDiff(services),
})

async function administratorOf(caller: Actor, engine: Engine): Promise<Actor> {
  const actor = await engine.renew(caller)
  if (!actor.isAdmin) throw forbidden()
  return actor
}

interface Scoped {
  readonly includeCollections: readonly string[]
  readonly excludeCollections: readonly string[]
}

function scopeOf({ includeCollections: include, excludeCollections: exclude }: Scoped): SnapshotScope | null {
  if (include.length > 0 && exclude.length > 0)
    throw invalidQuery('"includeCollections" and "excludeCollections" cannot be used together')
  if (include.length > 0) return { include }
  return exclude.length > 0 ? { exclude } : null
}

const mediaTypes: Readonly<Record<Format, string>> = { json: 'application/json', yaml: 'application/yaml' }

const readSnapshot =
  ({ engine, snapshots }: SnapshotServices): Procedure<'readSnapshot'> =>
  async (call) => {
    await administratorOf(call.actor, engine)
    const { input } = call
    const include = includedSections(input.include)
    const data = await snapshots.snapshot({ include, scope: scopeOf(input) })
    const format = input.export
    if (format === null) return { data }
    const content = writeText(data, format)
    return { file: { name: `snapshot.${format}`, mediaType: mediaTypes[format], content } }
  }

const diffSnapshot =
  ({ engine, snapshots }: SnapshotServices): Procedure<'diffSnapshot'> =>
  async (call) => {
    await administratorOf(call.actor, engine)
    const { input } = call
    const asked = { mode: input.mode ?? 'merge', force: input.force ?? false, scope: scopeOf(input) } as const
    return (await snapshots.diff(await call.document(), asked)) ?? undefined
  }

const applyDiff =
  ({ engine, metadata, snapshots }: SnapshotServices): Procedure<'applyDiff'> =>
  async (call) => {
    checkMayChange(await administratorOf(call.actor, engine), metadata)
    const asked = { mayLose: call.input.allow_data_loss ?? false }
    const document = await call.document()
    return call.isDryRun ? snapshots.preview(document, asked) : snapshots.apply(document, asked)
  }

import { forbidden } from '@tain/contract'
import { files } from '@tain/contract/collections'
import type { Actor } from '../access/actor.ts'
import { authorizeCollection } from '../access/authorize-write.ts'
import type { Engine } from '../engine/engine.ts'
import { underNewest } from '../engine/items/under-newest.ts'

/** Refuses callers who may not do this with any file, before anything of the request is read. */
export async function authorizeFiles(
  engine: Engine,
  actor: Actor,
  action: 'create' | 'update' | 'delete',
): Promise<void> {
  await underNewest(engine, actor, (caller) => {
    const collection = engine.schema().system.get(files.name)
    if (collection === undefined) throw forbidden()
    authorizeCollection(collection, action, caller)
  })
}

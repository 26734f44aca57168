import type { Actor } from '../../access/actor.ts'
import { authorizeTree, mustSee, namedFields, presetsFor } from '../../access/authorize-write.ts'
import type { Authorized } from '../../access/authorized.ts'
import { startTree } from '../../query/bind-write.ts'
import type { Removal, WriteNode, WriteTree } from '../../query/bound-write.ts'
import type { WriteContext } from '../../query/write-context.ts'
import type { Schema } from '../../schema/schema.ts'
import { completeEmptied, completeKeys, completeSave, completeTree, hashTree } from './complete.ts'
import { encodeValue } from './encode.ts'
import type { Watch } from './guards.ts'
import type { WriteServices } from './request.ts'

/** The stages before the first statement. They run again for rows that are added while the tree is processed. */
export interface StageContext extends WriteContext {
  readonly authorize: (tree: WriteTree) => Authorized<WriteTree>
  /** Adds what the guards of system collections know, before the rows are validated. */
  readonly prepare: (tree: Authorized<WriteTree>) => Promise<void>
  readonly complete: (tree: Authorized<WriteTree>) => void
  /** Completes a `save` after the lookup has shown whether the row exists. */
  readonly completeSave: (node: WriteNode, action: 'create' | 'update') => void
  /** Completes a row whose foreign keys come from other rows of the payload. */
  readonly completeKeys: (
    node: WriteNode,
    action: 'create' | 'update',
    keys: Readonly<Record<string, string | null>>,
  ) => void
  /** Checks rows that leave a list and whose foreign key becomes null. */
  readonly completeEmptied: (removal: Removal) => void
  /** Completes and validates rows after filters have seen them, then hashes their secrets. */
  readonly completeFiltered: (nodes: WriteNode[]) => Promise<void>
  /** Runs the guards of system collections, then hashes secrets. */
  readonly guard: (tree: Authorized<WriteTree>) => Promise<void>
}

export function writeContext(schema: Schema, actor: Actor, services: WriteServices, watch: Watch): StageContext {
  const { isFiltered } = services.filters
  return {
    schema,
    tree: startTree(),
    authorize: (tree) => authorizeTree(tree, actor),
    prepare: watch.prepare,
    complete: (tree) => completeTree(tree, actor, isFiltered),
    completeFiltered: async (nodes) => {
      completeTree({ nodes }, actor)
      await hashTree({ nodes })
    },
    completeSave: (node, action) => completeSave(node, action, actor),
    completeEmptied: (removal) => completeEmptied(removal, actor),
    completeKeys: (node, action, keys) => completeKeys(node, action, keys, actor),
    fields: (action, collection) => namedFields(action, collection, actor),
    presets: (action, collection) => presetsFor(action, collection, actor),
    mayUse: actor.mayUse,
    mustSee: (collection) => mustSee(collection, actor),
    guard: async (tree) => {
      await watch.before(tree)
      await hashTree(tree, isFiltered)
    },
    encode: (field, value, path) => encodeValue(field, watch.clean(field, value), path, services.statements.dialect),
  }
}

import { ServiceError } from '@tain/contract'
import type { WriteNode, WriteTree } from '../query/bound-write.ts'
import { noCollection } from '../query/resolve.ts'
import type { Collection } from '../schema/schema.ts'
import type { Actor, WriteAction } from './actor.ts'
import { authorize, type Authorized } from './authorized.ts'

/** What a node of a payload does to its table; linking needs to see the row, nothing more. */
const actions: Readonly<Record<WriteNode['action'], readonly WriteAction[]>> = {
  create: ['create'],
  update: ['update'],
  save: ['create', 'update'],
  join: ['create'],
  link: [],
}

/** Every row of a payload, however deep, is an operation of its own and needs its own right. */
export function authorizeNode(node: WriteNode, actor: Actor): void {
  for (const action of actions[node.action]) authorizeCollection(node.collection, action, actor)
  if (actor.readGrant(node.collection) === null) throw noCollection(node.collection.name)
}

export function authorizeCollection(collection: Collection, action: WriteAction, actor: Actor): void {
  if (!actor.mayWrite(collection, action)) throw noCollection(collection.name)
  if (collection.isReadOnly)
    throw new ServiceError('UNPROCESSABLE_CONTENT', `The items of "${collection.name}" can only be read.`)
}

export function authorizeTree(tree: WriteTree, actor: Actor): Authorized<WriteTree> {
  for (const node of tree.nodes) authorizeNode(node, actor)
  for (const { list, action } of tree.removals)
    authorizeCollection(list.collection, action === 'delete' ? 'delete' : 'update', actor)
  return authorize(tree)
}

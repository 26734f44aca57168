import { forbidden, invalidPayload } from '@tain/contract'
import type { Guard, GuardContext } from '../../engine/write/guards.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import { keyParts } from '../../query/keys.ts'
import { isNew, replace, sent } from './sent.ts'

/** A preset belongs to its user; only administrators create presets for other users, for roles and for everyone. */
export const presetGuard: Guard = {
  async before(nodes, { actor }) {
    if (actor.isAdmin) return
    for (const node of nodes) {
      beOwn(node, 'user', actor.user)
      if ((sent(node, 'role') ?? null) !== null) throw forbidden()
    }
  },
}

/** Only administrators may send a notification in the name of another user. */
export const notificationGuard: Guard = {
  async before(nodes, { actor }) {
    for (const node of nodes) {
      if (!actor.isAdmin) beOwn(node, 'sender', actor.user)
      else if (isNew(node) && !node.values.has('sender') && actor.user !== null) replace(node, 'sender', actor.user)
    }
  },
}

function beOwn(node: WriteNode, field: string, user: string | null): void {
  if (user === null) throw forbidden()
  if (node.values.has(field) && sent(node, field) !== user) throw forbidden()
  if (isNew(node)) replace(node, field, user)
}

/** A caller may only comment on visible items. */
export const commentGuard: Guard = {
  async before(nodes, context) {
    if (context.actor.user === null && !context.actor.isAdmin) throw forbidden()
    for (const node of nodes) {
      if (isNew(node)) await checkTarget(node, context)
      else if (node.values.has('collection') || node.values.has('item'))
        throw invalidPayload('A comment stays with its item')
    }
  },
}

async function checkTarget(node: WriteNode, { schema, canSee }: GuardContext): Promise<void> {
  const [name, item] = [sent(node, 'collection'), sent(node, 'item')]
  if (typeof name !== 'string' || typeof item !== 'string') return
  const collection = schema.collections.get(name)
  if (collection === undefined || !(await canSee(collection, keyParts(item, collection)))) throw forbidden()
}

import { forbidden, invalidPayload, ServiceError } from '@tain/contract'
import { folders } from '@tain/contract/collections'
import type { Guard, GuardContext } from '../../engine/write/guards.ts'
import { deltaOf } from './users.ts'

export const folderGuard: Guard = {
  async remove(keys, { rows, schema, canSee }) {
    const query = { filter: { parent: { _in: keys } }, fields: ['id'], limit: -1 }
    const inside = await rows(folders.name, query)
    if (inside.every(({ id }) => keys.includes(String(id)))) return
    const collection = schema.system.get(folders.name)
    // Who may not see the folder must not learn of it.
    for (const key of keys) if (collection === undefined || !(await canSee(collection, [key]))) throw forbidden()
    throw new ServiceError(
      'INVALID_FOREIGN_KEY',
      'The folder holds other folders. Move or delete them first, or delete all of them together.',
      { field: 'parent', collection: folders.name },
    )
  },
  async after(changes, context) {
    for (const change of changes)
      if (change.action === 'update' && deltaOf(change)['parent'] !== undefined)
        await checkTree(change.key[0] ?? '', context)
  },
}

async function checkTree(folder: string, { rows }: GuardContext): Promise<void> {
  const seen = new Set<string>()
  for (let id: unknown = folder; typeof id === 'string';) {
    if (seen.has(id)) throw invalidPayload('"parent" cannot be the folder itself or one inside it')
    seen.add(id)
    const [row] = await rows(folders.name, { filter: { id: { _eq: id } }, fields: ['parent'], limit: 1 })
    id = row?.['parent']
  }
}

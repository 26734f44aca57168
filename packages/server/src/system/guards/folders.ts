import { invalidPayload } from '@tain/contract'
import { folders } from '@tain/contract/collections'
import type { Guard, GuardContext } from '../../engine/write/guards.ts'
import { deltaOf } from './users.ts'

export const folderGuard: Guard = {
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

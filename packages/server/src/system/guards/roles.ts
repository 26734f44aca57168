import { invalidPayload } from '@tain/contract'
import type { Guard } from '../../engine/write/guards.ts'

export const roleGuard: Guard = {
  permissionFields: 'all',

  /** Users of a deleted role lose it; without suspension they would continue with the public permissions. */
  async remove(keys, context) {
    await context.endSessions(await context.suspendUsers(keys), false)
  },

  async after(changes, context) {
    const { roles } = await context.permissionModel()
    for (const { action, key } of changes) {
      const seen = new Set<string>()
      for (let id = action === 'delete' ? null : (key[0] ?? null); id !== null; id = roles.get(id)?.parent ?? null) {
        if (seen.has(id)) throw invalidPayload('"parent" cannot be the role itself or one below it')
        seen.add(id)
      }
    }
  },
}

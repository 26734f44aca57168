import { ServiceError } from '@tain/contract'
import { run, runWith, type Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import type { Change, MetadataChange } from './change.ts'

const rolesGoing = (permissionModel: readonly MetadataChange[]): string[] =>
  permissionModel.flatMap((change) =>
    change.kind === 'remove' && change.table === 'service_roles' ? change.keys.map(({ value }) => value ?? '') : [],
  )

/** Permission changes run one at a time, and at least one active administrator must remain. */
export async function storePermissions(
  { permissionChanges = [] }: Change,
  store: (permissionModel: readonly MetadataChange[]) => Promise<void>,
  { guards, identity, serviceTables, dialect }: Database,
  systemSchema: string,
  transaction: Transaction,
): Promise<void> {
  if (permissionChanges.length === 0) return
  await run(guards.lockPermissions(systemSchema), transaction, dialect)
  const roles = rolesGoing(permissionChanges)
  if (roles.length > 0) {
    // Users of a removed role would otherwise continue with the public permissions.
    const users = await runWith(guards.suspendUsers(systemSchema), [JSON.stringify(roles)], transaction, dialect)
    const keys = JSON.stringify(users.map(([id]) => id))
    await runWith(guards.endSessions(systemSchema), [keys, null], transaction, dialect)
  }
  await store(permissionChanges)
  await run(serviceTables.bumpPermissions(systemSchema), transaction, dialect)
  const [row] = await run(identity.hasAdministrator(systemSchema), transaction, dialect)
  // Databases print a boolean in different forms.
  if (!['t', 'true', '1'].includes(row?.[0] ?? ''))
    throw new ServiceError('UNPROCESSABLE_CONTENT', 'There has to be at least one active administrator.')
}

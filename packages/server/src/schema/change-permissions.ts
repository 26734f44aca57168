import { ServiceError } from '@tain/contract'
import { run, runWith, type Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import type { Change, MetadataChange } from './change.ts'

const rolesGoing = (permissionModel: readonly MetadataChange[]): string[] =>
  permissionModel.flatMap((change) =>
    change.kind === 'remove' && change.table === 'service_roles' ? change.keys.map(({ value }) => value ?? '') : [],
  )

/** Rights are changed by one at a time, and never so that nobody is left who can do everything. */
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
    // Whoever had the role would otherwise go on with what the public may do.
    const users = await runWith(guards.suspendUsers(systemSchema), [JSON.stringify(roles)], transaction, dialect)
    const keys = JSON.stringify(users.map(([id]) => id))
    await runWith(guards.endSessions(systemSchema), [keys, null], transaction, dialect)
  }
  await store(permissionChanges)
  await run(serviceTables.bumpPermissions(systemSchema), transaction, dialect)
  const [row] = await run(identity.hasAdministrator(systemSchema), transaction, dialect)
  if (row?.[0] !== 't' && row?.[0] !== 'true')
    throw new ServiceError('UNPROCESSABLE_CONTENT', 'There has to be at least one active administrator.')
}

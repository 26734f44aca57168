import { ServiceError } from '@tain/contract'
import { run, runWith, type Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import type { Change, MetadataChange } from './change.ts'

const rolesGoing = (rights: readonly MetadataChange[]): string[] =>
  rights.flatMap((change) =>
    change.kind === 'remove' && change.table === 'service_roles' ? change.keys.map(({ value }) => value ?? '') : [],
  )

/** Rights are changed by one at a time, and never so that nobody is left who can do everything. */
export async function storeRights(
  { rights = [] }: Change,
  store: (rights: readonly MetadataChange[]) => Promise<void>,
  { guards, identity, serviceTables, dialect }: Database,
  systemSchema: string,
  transaction: Transaction,
): Promise<void> {
  if (rights.length === 0) return
  await run(guards.lockRights(systemSchema), transaction, dialect)
  const roles = rolesGoing(rights)
  if (roles.length > 0) {
    // Whoever had the role would otherwise go on with what the public may do.
    const users = await runWith(guards.suspendUsers(systemSchema), [JSON.stringify(roles)], transaction, dialect)
    const keys = JSON.stringify(users.map(([id]) => id))
    await runWith(guards.endSessions(systemSchema), [keys, null], transaction, dialect)
  }
  await store(rights)
  await run(serviceTables.bumpRights(systemSchema), transaction, dialect)
  const [row] = await run(identity.hasAdministrator(systemSchema), transaction, dialect)
  if (row?.[0] !== 't' && row?.[0] !== 'true')
    throw new ServiceError('UNPROCESSABLE_CONTENT', 'There has to be at least one active administrator.')
}

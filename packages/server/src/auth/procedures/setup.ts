import { forbidden, ServiceError } from '@tain/contract'
import { randomUUID } from 'node:crypto'
import { isEqualText } from '../../lib/equal-text.ts'
import { PUBLIC_POLICY } from '../bootstrap.ts'
import type { Keyring } from '../keyring.ts'
import { checkPolicy } from '../passwords.ts'
import type { Procedure } from '../../procedure.ts'
import type { AuthServices } from '../auth-services.ts'

/** Replicas with the same SECRET print the same token; creating the first administrator invalidates it. */
export const setupToken = (keyring: Keyring, permissionVersion: number): string =>
  keyring.derive('setup', String(permissionVersion))

/** Creates the first administrator, for operators who can read the log. */
export const setup =
  (services: AuthServices): Procedure<'setup'> =>
  async ({ input: { token, admin }, context: { client } }) => {
    const { identity, accounts, keyring, limits, passwords } = services
    await limits.login(client.ip)
    const found = await identity.beginning()
    if (found.hasAdministrator || !isEqualText(token, setupToken(keyring, found.permissionVersion))) throw forbidden()
    checkPolicy(admin.password, (await accounts.settings()).passwordPolicy)
    const passwordHash = await passwords.hash(admin.password)
    const before = await identity.begin([PUBLIC_POLICY, randomUUID()], async ({ permissionVersion }) =>
      permissionVersion === found.permissionVersion
        ? {
            ids: [randomUUID(), randomUUID(), randomUUID(), randomUUID()],
            email: admin.email,
            passwordHash,
            tokenHash: null,
            firstName: admin.first_name,
            lastName: admin.last_name,
          }
        : null,
    )
    if (before.hasAdministrator || before.permissionVersion !== found.permissionVersion) throw forbidden()
    if (!before.isMade)
      throw new ServiceError('RECORD_NOT_UNIQUE', undefined, { collection: 'service_users', field: 'email' })
  }

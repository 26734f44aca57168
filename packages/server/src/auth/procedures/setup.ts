import { forbidden, ServiceError } from '@tain/contract'
import { randomUUID } from 'node:crypto'
import { isEqualText } from '../../lib/equal-text.ts'
import { PUBLIC_POLICY } from '../begin.ts'
import { email, nested, optional, password, shaped, text } from '../input.ts'
import type { Keyring } from '../keyring.ts'
import { checkPolicy } from '../passwords.ts'
import type { AuthServices, Procedure } from '../procedure.ts'

export interface FirstUserInput {
  readonly email: string
  readonly password: string
  readonly first_name: string | null
  readonly last_name: string | null
}

export interface SetupInput {
  readonly token: string
  readonly admin: FirstUserInput
}

/** Replicas with the same SECRET print the same one, and the first administrator makes it void. */
export const setupToken = (keyring: Keyring, rights: number): string => keyring.derive('setup', String(rights))

/** The first administrator, for whoever can read the log. */
export const setup = (services: AuthServices): Procedure<SetupInput, void> => ({
  callers: 'anybody',
  stall: services.config.loginStall,
  check: shaped<SetupInput>({
    token: text,
    admin: nested(shaped<FirstUserInput>({ email, password, first_name: optional(text), last_name: optional(text) })),
  }),
  async run({ input: { token, admin }, context: { client } }) {
    const { identity, accounts, keyring, limits, passwords } = services
    await limits.login(client.ip)
    const found = await identity.beginning()
    if (found.hasAdministrator || !isEqualText(token, setupToken(keyring, found.rights))) throw forbidden()
    checkPolicy(admin.password, (await accounts.settings()).passwordPolicy)
    const passwordHash = await passwords.hash(admin.password)
    const before = await identity.begin([PUBLIC_POLICY, randomUUID()], async ({ rights }) =>
      rights === found.rights
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
    if (before.hasAdministrator || before.rights !== found.rights) throw forbidden()
    if (!before.isMade)
      throw new ServiceError('RECORD_NOT_UNIQUE', undefined, { collection: 'service_users', field: 'email' })
  },
})

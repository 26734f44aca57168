import { randomUUID } from 'node:crypto'
import type { Begun, Identity } from '../store/identity.ts'
import { hashText } from '../lib/argon2.ts'
import type { Observe } from '../observe.ts'
import { hashToken } from './authenticate.ts'

/** The policy for requests without a token; its key is the same in every installation. */
export const PUBLIC_POLICY = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'

export interface FirstUser {
  readonly adminEmail: string | null
  readonly adminPassword: string | null
  readonly adminToken: string | null
}

const settingOf = { email: 'ADMIN_EMAIL', token: 'ADMIN_TOKEN' } as const

/** Creates the rows that the first login needs, and returns the state afterwards. Settings create the first administrator and never change a user. */
export async function begin(
  identity: Identity,
  { adminEmail, adminPassword, adminToken }: FirstUser,
  observe: Observe,
): Promise<Begun> {
  const isGiven = adminEmail !== null || adminToken !== null
  const { isMade, taken, ...found } = await identity.begin([PUBLIC_POLICY, randomUUID()], async () => {
    if (!isGiven) return null
    return {
      ids: [randomUUID(), randomUUID(), randomUUID(), randomUUID()],
      email: adminEmail,
      passwordHash: adminPassword === null ? null : await hashText(adminPassword),
      tokenHash: adminToken === null ? null : hashToken(adminToken),
    }
  })
  if (taken.length > 0) observe({ kind: 'administrator-taken', settings: taken.map((name) => settingOf[name]), isMade })
  return { ...found, hasAdministrator: found.hasAdministrator || isMade, isMade, taken }
}

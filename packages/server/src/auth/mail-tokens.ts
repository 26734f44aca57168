import { randomUUID } from 'node:crypto'
import type { Account } from '../store/accounts.ts'
import type { Link } from '../store/change-user.ts'
import { isEqualText } from '../lib/equal-text.ts'
import { isUuid } from '../lib/uuid.ts'
import { hashToken } from './authenticate.ts'
import type { AuthServices } from './auth-services.ts'

/** Purpose of a link in a mail. */
export type MailScope = 'password-reset' | 'invite' | 'pending-registration'

/** The user that a link is for, as stored when the link was sent. */
export type Recipient = Pick<Account, 'id' | 'email' | 'passwordHash'>

/** A change of the user, address or password changes this hash and so invalidates older links. */
const markOf = (scope: MailScope, { id, email, passwordHash }: Recipient): string =>
  hashToken(JSON.stringify([scope, id, email, passwordHash]))

export const mailToken = (
  scope: MailScope,
  recipient: Recipient,
  lifetime: number,
  { tokens }: Pick<AuthServices, 'tokens'>,
): Promise<string> => {
  const { id, email } = recipient
  return tokens.sign({ id, email, scope, hash: markOf(scope, recipient), jti: randomUUID() }, lifetime)
}

export interface OpenedLink {
  readonly account: Account
  readonly link: Link
}

/** The account of a link, if unchanged since; null for an invalid link, 'other' for a token with another scope. */
export async function openMailToken(
  token: string,
  scope: MailScope,
  lifetime: number,
  { accounts, tokens }: Pick<AuthServices, 'accounts' | 'tokens'>,
): Promise<OpenedLink | null | 'other'> {
  const claims = await tokens.verify(token)
  if (claims['scope'] !== scope) return 'other'
  const { id, hash, jti } = claims
  if (!isUuid(id) || typeof jti !== 'string') return null
  const account = await accounts.byId(id)
  if (account === null || !isEqualText(hash, markOf(scope, account))) return null
  return { account, link: { id: jti, lifetime } }
}

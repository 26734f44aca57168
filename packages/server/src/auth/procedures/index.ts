import { authProcedures, type AuthProcedureName, type ProcedureRow } from '@tain/contract'
import { atLeast } from '../../lib/minimum-duration.ts'
import type { AnyProcedure, Call, Implementations } from '../../procedure.ts'
import type { AuthServices } from '../auth-services.ts'
import { revokeLinks, revokeLinksOf } from './asset-links.ts'
import { acceptInvite, invite } from './invite.ts'
import { login } from './login.ts'
import { requestPassword, resetPassword } from './password.ts'
import { register, verifyEmail } from './register.ts'
import { disableTfa, disableTfaOf, enableTfa, generateTfa } from './second-factor.ts'
import { logout, refresh } from './session.ts'
import { setup } from './setup.ts'

type AuthImplementations = Implementations<AuthProcedureName>

/** All authentication procedures. */
export const createAuthProcedures = (services: AuthServices): AuthImplementations =>
  withMinimumDurations(services.config, {
    listProviders: async () => ({ data: [], disableDefault: false }),
    login: login(services),
    refresh: refresh(services),
    logout: logout(services),
    requestPassword: requestPassword(services),
    resetPassword: resetPassword(services),
    invite: invite(services),
    acceptInvite: acceptInvite(services),
    register: register(services),
    verifyEmail: verifyEmail(services),
    generateTfa: generateTfa(services),
    enableTfa: enableTfa(services),
    disableTfa: disableTfa(services),
    disableTfaOf: disableTfaOf(services),
    revokeLinks: revokeLinks(services),
    revokeLinksOf: revokeLinksOf(services),
    setup: setup(services),
  })

/** Makes refusals take as long as successes. */
function withMinimumDurations(
  { loginMinimumDuration: login, registerMinimumDuration: registration }: AuthServices['config'],
  implementations: AuthImplementations,
): AuthImplementations {
  const milliseconds = { login, registration }
  const rows: Readonly<Record<AuthProcedureName, ProcedureRow>> = authProcedures
  const wrapped = Object.entries(implementations).map(([name, run]: [string, AnyProcedure]) => {
    const { minimumDuration } = rows[name as AuthProcedureName]
    if (minimumDuration === undefined) return [name, run]
    return [name, async (call: Call<never, never>) => atLeast(milliseconds[minimumDuration], async () => run(call))]
  })
  return Object.fromEntries(wrapped) as AuthImplementations
}

import type { AuthServices } from '../auth-procedure.ts'
import { acceptInvite, invite } from './invite.ts'
import { login } from './login.ts'
import { requestPassword, resetPassword } from './password.ts'
import { register, verifyEmail } from './register.ts'
import { disableTfa, disableTfaOf, enableTfa, generateTfa } from './second-factor.ts'
import { logout, refresh } from './session.ts'
import { setup } from './setup.ts'

/** All authentication operations; each protocol maps them to its own endpoints. */
export const createProcedures = (services: AuthServices) => ({
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
  setup: setup(services),
})

export type Procedures = ReturnType<typeof createProcedures>

import { invalidPayload, ServiceError } from '@tain/contract'
import type { Received } from '@tain/contract/schemas'
import { issue, lifetimeOf, newToken, storedHash, effectivePermissionsFor, type Mode } from '../issue.ts'
import type { CallContext, Procedure } from '../../procedure.ts'
import type { AuthServices } from '../auth-services.ts'

type SessionInput = Received<'refresh'>

const modeOf = ({ mode, refresh_token: token }: SessionInput): Mode => mode ?? (token === null ? 'cookie' : 'json')

const noToken = () => invalidPayload('There is no refresh token, neither in the body nor in a cookie')

/** The session's token, from where the mode keeps it. */
async function tokenOf(input: SessionInput, { cookies }: CallContext, { tokens }: AuthServices): Promise<string> {
  const mode = modeOf(input)
  if (mode !== 'session') return (mode === 'json' ? input.refresh_token : cookies.refresh) ?? throwing(noToken())
  if (cookies.session === null) throw noToken()
  if (!tokens.isOwn(cookies.session)) throw new ServiceError('INVALID_CREDENTIALS')
  const { session } = await tokens.verifyAccess(cookies.session)
  return session ?? throwing(new ServiceError('INVALID_TOKEN'))
}

const throwing = (error: Error): never => {
  throw error
}

/** A token works for one refresh. A token that is used again was copied, so all sessions of its login end. */
export const refresh =
  (services: AuthServices): Procedure<'refresh'> =>
  async ({ input, context }) => {
    const { sessions, keyring, config, observe } = services
    const mode = modeOf(input)
    const token = await tokenOf(input, context, services)
    // Derived from the old token, so that a client that asks twice gets the same one; only hashes are stored.
    const next = mode === 'session' ? keyring.derive('next session', token) : newToken()
    const rotated = await sessions.rotate({
      tokenHash: storedHash(mode, token),
      nextHash: storedHash(mode, next),
      lifetime: lifetimeOf(mode, config),
      grace: mode === 'session' ? config.sessionGrace : 0,
      client: context.client,
    })
    switch (rotated.kind) {
      case 'unknown':
        throw new ServiceError('INVALID_CREDENTIALS')
      case 'inactive':
        throw new ServiceError(rotated.status === 'suspended' ? 'USER_SUSPENDED' : 'INVALID_CREDENTIALS')
      case 'replayed':
        observe({ kind: 'refresh-replayed', user: rotated.user })
        throw new ServiceError('INVALID_CREDENTIALS')
      case 'rotated':
      case 'again': {
        const effective = await effectivePermissionsFor(rotated.user, context.client.ip, services)
        return issue(rotated.user, { mode, refreshToken: next, family: rotated.family }, effective, services)
      }
    }
  }

/** Ends the session if there is one; an invalid token is not an error. */
export const logout =
  (services: AuthServices): Procedure<'logout'> =>
  async ({ input, context }) => {
    try {
      const token = await tokenOf(input, context, services)
      await services.sessions.end(storedHash(modeOf(input), token), context.client)
    } catch (error) {
      const isNoSession = error instanceof ServiceError && error.code !== 'INVALID_PAYLOAD' && error.status < 500
      if (!isNoSession) throw error
    }
  }

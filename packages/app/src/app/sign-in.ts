import { ApiError, messageOf } from '../api/api-error.ts'
import { request } from '../api/client.ts'
import { signals } from '../api/signals.ts'
import type { AppStart } from '../model/collection.ts'
import { queryClient } from './query-client.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
  /** The code of the second factor; null: it was not asked for yet. */
  readonly code: string | null
}

/** Signs in by a cookie that scripts cannot read, and reads again what depends on who is signed in. */
export async function signIn({ email, password, code }: Credentials): Promise<void> {
  await request('POST', '/auth/login', {
    body: { email, password, mode: 'session', ...(code === null ? {} : { otp: code }) },
    isSigningIn: true,
  })
  signals.beginSession()
  await queryClient.invalidateQueries({ queryKey: ['start'] })
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'start' })
}

/** A policy requires a second factor that is not set up: the service opens nothing else until it is. */
export const lacksSecondFactor = ({ globals, collections }: AppStart): boolean =>
  globals.enforce_tfa === true && collections.length === 0

/** Why signing in did not work. */
export type SignInProblem =
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'code' }
  | { readonly kind: 'refused'; readonly text: string }

export function signInProblem(error: unknown, hadCode: boolean): SignInProblem {
  if (!(error instanceof ApiError)) return { kind: 'refused', text: messageOf(error) }
  if (error.status === 429) return { kind: 'wait', seconds: error.retryAfter ?? 1 }
  if (error.code === 'INVALID_OTP')
    return hadCode
      ? { kind: 'refused', text: 'This code is not right. A code changes every 30 seconds and works once.' }
      : { kind: 'code' }
  if (error.code === 'INVALID_CREDENTIALS')
    return { kind: 'refused', text: 'The e-mail address or the password is not right.' }
  return { kind: 'refused', text: messageOf(error) }
}

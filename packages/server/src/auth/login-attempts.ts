import { ServiceError } from '@tain/contract'
import { networkOf } from './networks.ts'
import type { AuthServices } from './auth-services.ts'

/** A login in progress. It counts as a failure unless one of these methods is called. */
export interface LoginAttempt {
  succeeded(): Promise<void>
  /** The login was not a guess: it is not counted, and earlier failures remain. */
  withdrawn(): Promise<void>
}

const unlimited: LoginAttempt = { succeeded: async () => {}, withdrawn: async () => {} }

export interface AttemptOptions {
  /** The account, or a placeholder for one that does not exist. */
  readonly account: string
  readonly address: string | null
  /** Number of failures before delays begin; null: no delays. */
  readonly free: number | null
}

/**
 * Throws REQUESTS_EXCEEDED while earlier failures delay this login, whether or not the password is right. Unknown
 * accounts are counted too, so that the response does not reveal which accounts exist.
 */
export async function beginAttempt(
  { account, address, free }: AttemptOptions,
  { loginFailures }: AuthServices,
): Promise<LoginAttempt & { readonly failures: number }> {
  if (free === null) return { ...unlimited, failures: 0 }
  const network = networkOf(address)
  const attempt = await loginFailures.count(account, network, free)
  if ('wait' in attempt) throw delayed(attempt.wait, free)
  const { failures } = attempt
  return {
    failures,
    succeeded: () => loginFailures.clear(account, network),
    withdrawn: () => loginFailures.uncount(account, network, failures),
  }
}

function delayed(wait: number, limit: number): ServiceError {
  const reset = new Date(Date.now() + wait).toISOString()
  return new ServiceError('REQUESTS_EXCEEDED', `Too many failed logins. Try again after ${reset}.`, { limit, reset })
}

import { ServiceError } from '@tain/contract'
import { networkOf } from './networks.ts'
import type { AuthServices } from './auth-procedure.ts'

/** A login under way. It counts as a failure until it says otherwise. */
export interface LoginAttempt {
  succeeded(): Promise<void>
  /** It was no guess: it neither counts nor ends what was counted before. */
  withdrawn(): Promise<void>
}

const unlimited: LoginAttempt = { succeeded: async () => {}, withdrawn: async () => {} }

export interface AttemptOptions {
  /** The account that was found, or what stands for one that does not exist. */
  readonly account: string
  readonly address: string | null
  /** Failures before delays begin; null: there are none. */
  readonly free: number | null
}

/**
 * Throws REQUESTS_EXCEEDED while earlier failures delay this one, whatever the password. Accounts that do not exist are
 * counted too, so that the answer does not tell which do.
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

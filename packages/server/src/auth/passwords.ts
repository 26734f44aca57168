import { availableParallelism } from 'node:os'
import { ServiceError } from '@tain/contract'
import { hasHash, hashOfNothing, hashText } from '../lib/argon2.ts'
import { createConcurrencyLimit } from '../lib/concurrency-limit.ts'
import { isPassword } from './password-policy.ts'

/** Password hashing is expensive by design, so its concurrency is limited. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes equally long if there is no hash. */
  matches(password: string, hash: string | null): Promise<boolean>
}

/** Leaves one of the four threads of Node's thread pool to other work. */
const MOST_AT_ONCE = 3
const MOST_WAITING = 200

export function createPasswords(): Passwords {
  const busy = () => new ServiceError('SERVICE_UNAVAILABLE', 'Too many people are signing in. Try again in a moment.')
  const through = createConcurrencyLimit(Math.min(MOST_AT_ONCE, availableParallelism()), MOST_WAITING, busy)
  const nothing = hashOfNothing()
  return {
    hash: (password) => through(() => hashText(password)),
    matches: (password, hash) => through(() => hasHash(password, hash ?? nothing)),
  }
}

/** Rejects a password that violates the project's policy; the error does not repeat the password. */
export function checkPolicy(password: string, policy: string | null): void {
  if (isPassword(password, policy)) return
  throw new ServiceError('FAILED_VALIDATION', 'The password does not meet the policy of this project.', {
    field: 'password',
    path: ['password'],
    type: 'regex',
  })
}

import { availableParallelism } from 'node:os'
import { ServiceError } from '@tain/contract'
import { hasHash, hashOfNothing, hashText } from '../lib/argon2.ts'
import { createConcurrencyLimit } from '../lib/concurrency-limit.ts'
import { isPassword } from './password-policy.ts'

/** Hashing is made to be expensive, so only so much of it happens at once. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long when there is no hash. */
  matches(password: string, hash: string | null): Promise<boolean>
}

/** One of the four threads that Node has for this is left to others. */
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

/** Refuses a password that the project's policy does not allow; the password is not repeated. */
export function checkPolicy(password: string, policy: string | null): void {
  if (isPassword(password, policy)) return
  throw new ServiceError('FAILED_VALIDATION', 'The password does not meet the policy of this project.', {
    field: 'password',
    path: ['password'],
    type: 'regex',
  })
}

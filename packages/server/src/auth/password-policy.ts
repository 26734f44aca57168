import { patternOf } from '../lib/pattern.ts'

/** Longer passwords take longer to hash and are no safer. */
export const MOST_PASSWORD_BYTES = 1024

/** No password meets an invalid policy. */
export function isPassword(password: string, policy: string | null): boolean {
  if (password === '' || Buffer.byteLength(password) > MOST_PASSWORD_BYTES) return false
  if (policy === null || policy === '') return true
  try {
    return patternOf(policy).test(password)
  } catch {
    return false
  }
}

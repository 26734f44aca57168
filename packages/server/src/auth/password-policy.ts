import { patternOf } from '../lib/pattern.ts'

/** Longer ones cost time to hash and protect nobody better. */
export const MOST_PASSWORD_BYTES = 1024

/** A policy that cannot be read is met by nothing. */
export function isPassword(password: string, policy: string | null): boolean {
  if (password === '' || Buffer.byteLength(password) > MOST_PASSWORD_BYTES) return false
  if (policy === null || policy === '') return true
  try {
    return patternOf(policy).test(password)
  } catch {
    return false
  }
}

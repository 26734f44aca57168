import { MOST_PASSWORD_BYTES } from '@tain/contract/schemas'
import { patternOf } from '../lib/pattern.ts'

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

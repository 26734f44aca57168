/** Longer ones cost time to hash and protect nobody better. */
export const MOST_PASSWORD_BYTES = 1024

/** A pattern as it is written in the settings, with or without slashes around it; throws when it is none. */
export function passwordPattern(text: string): RegExp {
  const [, inner = text, flags = ''] = /^\/(.*)\/([imsu]*)$/su.exec(text) ?? []
  return new RegExp(inner, flags)
}

/** A policy that cannot be read is met by nothing. */
export function isPassword(password: string, policy: string | null): boolean {
  if (password === '' || Buffer.byteLength(password) > MOST_PASSWORD_BYTES) return false
  if (policy === null || policy === '') return true
  try {
    return passwordPattern(policy).test(password)
  } catch {
    return false
  }
}

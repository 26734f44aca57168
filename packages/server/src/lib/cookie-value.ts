/** The value of a cookie in a `Cookie` header; null: it is not there. */
export function cookieValue(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at === -1 || part.slice(0, at).trim() !== name) continue
    const value = part
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/u, '$1')
    try {
      return decodeURIComponent(value) || null
    } catch {
      return value
    }
  }
  return null
}

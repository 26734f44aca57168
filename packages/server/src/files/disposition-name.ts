/** The name that a `Content-Disposition` gives, as it was sent; null: none. The extended form wins (RFC 6266). */
export function nameInDisposition(header: string | undefined): string | null {
  if (header === undefined) return null
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([\w!#$&+.^`|~%-]+)/iu.exec(header)?.[1]
  const decoded = extended === undefined ? null : decodedName(extended)
  if (decoded !== null) return decoded
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/iu.exec(header)?.[1]
  if (quoted !== undefined) return nameOf(quoted.replaceAll(/\\(.)/gu, '$1'))
  return nameOf(/;\s*filename\s*=\s*([^\s;"]+)/iu.exec(header)?.[1] ?? '')
}

/** Headers are read byte by byte; servers that send more than ASCII mean UTF-8. */
function nameOf(bytes: string): string | null {
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  const name = text.includes('\uFFFD') ? bytes : text
  return name === '' ? null : name
}

function decodedName(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}

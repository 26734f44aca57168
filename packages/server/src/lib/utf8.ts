import { isUtf8 } from 'node:buffer'

/** Decodes UTF-8; null for invalid bytes, which `toString` would silently replace. */
export const utf8Text = (bytes: Buffer): string | null => (isUtf8(bytes) ? bytes.toString('utf8') : null)

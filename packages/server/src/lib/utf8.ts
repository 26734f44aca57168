import { isUtf8 } from 'node:buffer'

/** Bytes as text; null where they are not UTF-8, which decoding would replace without a word. */
export const utf8Text = (bytes: Buffer): string | null => (isUtf8(bytes) ? bytes.toString('utf8') : null)

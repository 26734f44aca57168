import type { Server } from '../capabilities.ts'
import { qualified } from './qualified.ts'

/** In characters, of the texts as they are written and as they are sent. */
const MOST_KEPT = 4 * 1024 * 1024

/**
 * The text that the server parses: with the schema of every name, so the search path of the session decides nothing.
 * A prepared statement is parsed once per connection, so the longer text costs a request nothing.
 */
export function createOutgoing(server: Pick<Server, 'can'>): (text: string) => string {
  const known = new Map<string, string>()
  let size = 0

  return (short) => {
    if (!server.can.qualifiedNames) return short
    const found = known.get(short)
    if (found !== undefined) return found
    const text = qualified(short)
    size += short.length + text.length
    if (size > MOST_KEPT) {
      known.clear()
      size = short.length + text.length
    }
    known.set(short, text)
    return text
  }
}

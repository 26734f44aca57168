import type { Statement } from '../../driver.ts'

/** The statements that one connection has prepared, least recently used first. */
export interface PreparedStatements {
  readonly limit: number
  readonly byName: Map<string, PreparedStatement>
  /** Names to close with the next message, so that closing never costs an extra round trip. */
  readonly closing: string[]
  created: number
  /** Total characters of all prepared texts, as the server got them. */
  size: number
  /** The name that the last message prepared, if any. */
  parsing: string | undefined
}

interface PreparedStatement {
  /** As it was written; the server got the text of `outgoing`. */
  readonly text: string
  /** Characters of the text that the server got. */
  readonly size: number
  /** Short and never reused: the server truncates names to 63 bytes, and two truncated names could be equal. */
  readonly wireName: string
}

/**
 * Per connection, the server keeps about seventy times a prepared text in memory. So long statements are not prepared.
 */
const LONGEST_PREPARED = 8192
const MOST_PREPARED = 512 * 1024

export function createPreparedStatements(limit: number): PreparedStatements {
  return { limit, byName: new Map(), closing: [], created: 0, size: 0, parsing: undefined }
}

/** Forgets a prepared statement; the connection's next message closes it on the server. */
export function forgetStatement(prepared: PreparedStatements, name: string): void {
  const entry = prepared.byName.get(name)
  if (entry === undefined) return
  prepared.byName.delete(name)
  prepared.size -= entry.size
  prepared.closing.push(entry.wireName)
}

export const isLong = (text: string): boolean => text.length > LONGEST_PREPARED

/**
 * The name of the statement on the server, or '' if it is not kept prepared. Sets `parsing` if the statement has to be
 * prepared first.
 */
export function wireNameOf(
  prepared: PreparedStatements,
  outgoing: (text: string) => string,
  { name, text }: Statement,
): string {
  prepared.parsing = undefined
  if (name === undefined || prepared.limit === 0 || isLong(text)) return ''
  const known = prepared.byName.get(name)
  if (known === undefined || known.text !== text) {
    prepared.parsing = name
    return remember(prepared, name, text, outgoing(text).length)
  }
  prepared.byName.delete(name)
  prepared.byName.set(name, known)
  return known.wireName
}

function remember(prepared: PreparedStatements, name: string, text: string, size: number): string {
  forgetStatement(prepared, name)
  for (const [oldest] of prepared.byName) {
    if (prepared.byName.size < prepared.limit && prepared.size + size <= MOST_PREPARED) break
    forgetStatement(prepared, oldest)
  }
  const wireName = `t${++prepared.created}`
  prepared.byName.set(name, { text, size, wireName })
  prepared.size += size
  return wireName
}

import { LRUCache } from 'lru-cache'
import { escape } from 'mysql2'
import type { Bind, Statement } from '../../driver.ts'

/**
 * Inserts values into the text as literals, because the server's prepared statements are unreliable: on the second run,
 * a select over a derived table with sub-selects in its select list no longer finds its columns (MariaDB 10.11, error
 * 1054). This is safe as long as backslashes escape and texts are UTF-8 in the session. session.ts sets both for every
 * connection.
 */
export function withValues({ text, values }: Statement): string {
  if (values.length === 0) return text
  const pieces = piecesOf(text)
  if (pieces.length !== values.length + 1)
    throw new TypeError(`a statement has ${pieces.length - 1} places for ${values.length} values`)
  let whole = pieces[0] ?? ''
  for (const [index, value] of values.entries()) whole += literal(value) + (pieces[index + 1] ?? '')
  return whole
}

function literal(value: Bind): string {
  if (value === null) return 'NULL'
  if (typeof value === 'bigint') return value.toString()
  // A list is sent as JSON.
  return escape(typeof value === 'string' ? value : JSON.stringify(value))
}

const known = new LRUCache<string, readonly string[]>({
  max: 2000,
  maxSize: 16 * 1024 ** 2,
  sizeCalculation: (_, text) => Math.max(text.length, 1),
})

/** The text between its placeholders. A question mark in a quoted name or text is not a placeholder. */
function piecesOf(text: string): readonly string[] {
  const found = known.get(text)
  if (found !== undefined) return found
  const pieces: string[] = []
  let from = 0
  for (const { 0: token, index } of text.matchAll(
    /`(?:[^`]|``)*`|'(?:[^'\\]|''|\\[^])*'|"(?:[^"\\]|""|\\[^])*"|\?/gu,
  )) {
    if (token !== '?') continue
    pieces.push(text.slice(from, index))
    from = index + 1
  }
  pieces.push(text.slice(from))
  known.set(text, pieces)
  return pieces
}

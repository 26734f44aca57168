import { LRUCache } from 'lru-cache'
import { escape } from 'mysql2'
import type { Bind, Statement } from '../../driver.ts'

/**
 * Values go into the text here, as literals of the server, because its prepared statements cannot be trusted: run a second
 * time, a select over a derived table with sub-selects in its list no longer knows its columns (MariaDB 10.11, error 1054).
 * Sound as long as the session's backslashes escape and its texts are UTF-8, which session.ts sets for every connection.
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
  // A list travels as JSON.
  return escape(typeof value === 'string' ? value : JSON.stringify(value))
}

const known = new LRUCache<string, readonly string[]>({
  max: 2000,
  maxSize: 16 * 1024 ** 2,
  sizeCalculation: (_, text) => Math.max(text.length, 1),
})

/** The text between its placeholders; a question mark in a quoted name or text is none. */
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

import type { Statement } from '../../../driver.ts'
import type { Server } from '../capabilities.ts'
import { qualified } from './qualified.ts'

const MOST_TEXTS = 2000

/** Statements as they are sent: with the schema of every name, unless the search path is safe. */
export function createOutgoing(server: Pick<Server, 'searchPathIsSafe'>): (statement: Statement) => Statement {
  const known = new Map<string, string>()

  function textOf(short: string): string {
    const found = known.get(short)
    if (found !== undefined) return found
    const text = qualified(short)
    if (known.size >= MOST_TEXTS) known.clear()
    known.set(short, text)
    return text
  }

  return (statement) => (server.searchPathIsSafe ? statement : { ...statement, text: textOf(statement.text) })
}

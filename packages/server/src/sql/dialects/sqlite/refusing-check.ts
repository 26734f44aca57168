import type BetterSqlite from 'better-sqlite3'
import type { NamedConstraint } from './messages.ts'
import { plainName, tokensOf } from '../base/sql-tokens.ts'
import { writtenTable } from './written-table.ts'

/** Explicit names of a table's checks. */
function checkNames(text: string): Set<string> {
  const words = tokensOf(text).map((token) => token.text)
  return new Set(
    words.flatMap((word, index) =>
      word.toLowerCase() === 'constraint' && words[index + 2]?.toLowerCase() === 'check'
        ? [plainName(words[index + 1] ?? '')]
        : [],
    ),
  )
}

/** The database prints a check's name, or its expression if it has no name, but not its table. */
export function refusingCheck(database: BetterSqlite.Database, text: string, message: string): NamedConstraint | null {
  const [, name = ''] = /^CHECK constraint failed: (.*)$/su.exec(message) ?? []
  const target = writtenTable(text)?.toLowerCase()
  const owners = database
    .prepare<[], { name: string; sql: string }>(`select name, sql from sqlite_schema where type = 'table'`)
    .all()
    .filter(({ sql }) => /\bconstraint\b/iu.test(sql) && checkNames(sql).has(name))
    .map((table) => table.name)
  const own = owners.find((table) => table.toLowerCase() === target)
  // A trigger may have written to another table.
  const table = own ?? (owners.length === 1 ? owners[0] : undefined)
  return table === undefined ? null : { table, name }
}

import type { Statement } from '../../driver.ts'
import { plainName, tokensOf } from '../base/sql-tokens.ts'
import { dropClause, readColumn } from './column-text.ts'
import { readTable } from './table-text.ts'

/** What a table is made of, as the inventory of a removal tells it. */
interface Parts {
  readonly text: string
  /** The tables whose foreign keys go, in lower case. */
  readonly targets: readonly string[]
  /** Without generated columns. */
  readonly columns: readonly string[]
  /** Definitions of its indexes and triggers. */
  readonly objects: readonly string[]
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

function leadsTo(text: string, targets: readonly string[]): boolean {
  const tokens = tokensOf(text)
  const place = tokens.findIndex((token) => token.depth === 0 && token.text.toLowerCase() === 'references')
  const target = place === -1 ? undefined : tokens[place + 1]
  return target !== undefined && targets.includes(plainName(target.text).toLowerCase())
}

/**
 * Foreign keys are part of a table's text, so the table is made anew without them, in the order that the database's manual
 * gives. The statements need nothing of the service: another client can run them.
 */
export function withoutKeys(name: string, parts: string): readonly Statement[] {
  const { text, targets, columns, objects } = JSON.parse(parts) as Parts
  const table = readTable(text)
  if (table === null) throw new Error(`no such table: ${name}`)
  const definitions = table.columns.map((column) => {
    const goes = readColumn(column.definition).clauses.some(
      ({ kind, text: clause }) => kind === 'references' && leadsTo(clause, targets),
    )
    return `${quoted(column.name)} ${goes ? dropClause(column.definition, 'references') : column.definition}`.trim()
  })
  const constraints = table.constraints.filter((constraint) => !leadsTo(constraint, targets))
  const next = `tain_new_${name}`
  const list = columns.map(quoted).join(', ')
  const counts = /\bautoincrement\b/iu.test(text)
  return [
    `create table ${quoted(next)} (${[...definitions, ...constraints].join(', ')}) ${table.options}`.trim(),
    `insert into ${quoted(next)} (${list}) select ${list} from ${quoted(name)}`,
    ...(counts
      ? [
          `delete from sqlite_sequence where name = ${literal(next)}`,
          `insert into sqlite_sequence (name, seq) select ${literal(next)}, seq from sqlite_sequence where name = ${literal(name)}`,
        ]
      : []),
    `drop table ${quoted(name)}`,
    `alter table ${quoted(next)} rename to ${quoted(name)}`,
    ...objects,
  ].map((statement) => ({ text: statement, values: [] }))
}

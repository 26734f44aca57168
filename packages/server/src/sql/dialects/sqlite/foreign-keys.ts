import { readColumn } from './column-text.ts'
import { columnsIn, constraintName, readTable } from './table-text.ts'

/** Most constraints have no name, so the name is derived from the table and the columns. */
export const foreignKeyName = (table: string, columns: readonly string[]): string =>
  `${table}_${columns.join('_')}_fkey`

/** Explicit names of foreign keys, by their columns. */
function givenNames(text: string): ReadonlyMap<string, string> {
  const table = /\bconstraint\b/iu.test(text) ? readTable(text) : null
  const ofTable = (table?.constraints ?? []).flatMap((constraint) =>
    /\bforeign\b/iu.test(constraint) ? [[columnsIn(constraint), constraintName(constraint)] as const] : [],
  )
  const ofColumns = (table?.columns ?? []).flatMap(({ name, definition }) =>
    readColumn(definition).clauses.flatMap((clause) =>
      clause.kind === 'references' ? [[[name], constraintName(clause.text)] as const] : [],
    ),
  )
  return new Map(
    [...ofTable, ...ofColumns].flatMap(([columns, name]) => (name === null ? [] : [[columns.join('\u0000'), name]])),
  )
}

/** The name of a foreign key by its columns: the explicit name, or the derived one. */
export function foreignKeyNames(table: string, text: string): (columns: readonly string[]) => string {
  const given = givenNames(text)
  return (columns) => given.get(columns.join('\u0000')) ?? foreignKeyName(table, columns)
}

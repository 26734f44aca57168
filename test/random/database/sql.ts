import type { Dialect } from './model.ts'

/** A table as its statements need it, with the types of the dialect. */
export interface TableSql {
  /** Only PostgreSQL has several schemas. */
  readonly schema: string | null
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly definition: string }[]
  /** Empty if there is none, or if its column declares it. */
  readonly key: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly foreignKeys: readonly ReferenceSql[]
}

interface ReferenceSql {
  readonly columns: readonly string[]
  readonly target: Pick<TableSql, 'schema' | 'name'>
  readonly targetColumns: readonly string[]
  readonly onDelete?: string
}

export const quoteName = (dialect: Dialect, name: string): string =>
  dialect === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`

export const quoteNames = (dialect: Dialect, names: readonly string[]): string =>
  names.map((name) => quoteName(dialect, name)).join(', ')

export const quoteText = (dialect: Dialect, text: string): string =>
  `'${(dialect === 'mysql' ? text.replaceAll('\\', '\\\\') : text).replaceAll("'", "''")}'`

export const quoteTable = (dialect: Dialect, { schema, name }: Pick<TableSql, 'schema' | 'name'>): string =>
  schema === null ? quoteName(dialect, name) : `${quoteName(dialect, schema)}.${quoteName(dialect, name)}`

const referenceSql = (dialect: Dialect, { columns, target, targetColumns, onDelete }: ReferenceSql): string =>
  [
    `foreign key (${quoteNames(dialect, columns)})`,
    `references ${quoteTable(dialect, target)} (${quoteNames(dialect, targetColumns)})`,
    ...(onDelete === undefined ? [] : [`on delete ${onDelete}`]),
  ].join(' ')

/** SQLite cannot add foreign keys later, and lets them refer to later tables. */
export function tableSql(dialect: Dialect, table: TableSql): string {
  const { columns, key, uniques, foreignKeys } = table
  const parts = [
    ...columns.map(({ name, definition }) => `${quoteName(dialect, name)} ${definition}`),
    ...(key.length === 0 ? [] : [`primary key (${quoteNames(dialect, key)})`]),
    ...uniques.map((names) => `unique (${quoteNames(dialect, names)})`),
    ...(dialect === 'sqlite' ? foreignKeys.map((reference) => referenceSql(dialect, reference)) : []),
  ]
  return `create table ${quoteTable(dialect, table)} (\n  ${parts.join(',\n  ')}\n)`
}

/** Foreign keys are added after all tables, which may refer to each other in cycles. */
export const referencesSql = (dialect: Dialect, table: TableSql): string[] =>
  dialect === 'sqlite'
    ? []
    : table.foreignKeys.map(
        (reference) => `alter table ${quoteTable(dialect, table)} add ${referenceSql(dialect, reference)}`,
      )

/** The cells are literals. */
export const insertSql = (dialect: Dialect, table: TableSql, rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0
    ? []
    : [
        `insert into ${quoteTable(dialect, table)} (${quoteNames(
          dialect,
          table.columns.map(({ name }) => name),
        )}) values\n${rows.map((cells) => `(${cells.join(', ')})`).join(',\n')}`,
      ]

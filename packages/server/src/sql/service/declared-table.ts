import type { StoredType } from '../dialect.ts'

/** The declaration of a service table. */
export interface DeclaredTable {
  readonly name: string
  readonly key: string
  readonly uniques?: readonly (readonly string[])[]
  readonly columns: Readonly<Record<string, DeclaredColumn>>
  readonly hidden?: Readonly<Record<string, DeclaredColumn>>
}

export interface DeclaredColumn {
  readonly type: StoredType
  readonly isNullable?: boolean
  readonly default?: string | number | boolean | { readonly now: true }
  readonly isIndexed?: boolean
  readonly isUnique?: boolean
  readonly lowerCaseOf?: string
  readonly to?: { readonly collection: string; readonly onDelete?: 'CASCADE' | 'SET NULL'; readonly isLoose?: true }
}

/** Declared tables that a migration of their own creates, because databases in use have run the first ones already. */
const addedLater: ReadonlySet<string> = new Set([
  'service_dashboards',
  'service_panels',
  'service_files',
  'service_webhooks',
  'service_deliveries',
])

/** Declared columns that a migration of their own adds to a table that a later migration than the first ones creates. */
const columnsAddedLater: Readonly<Record<string, ReadonlySet<string>>> = {
  service_webhooks: new Set(['failing_since', 'next_probe', 'failures']),
}

/** The declared tables that the first migrations create. */
export const firstDeclared = (declared: readonly DeclaredTable[]): readonly DeclaredTable[] =>
  declared.filter(({ name }) => !addedLater.has(name)).map(withoutLoose)

export const declaredAs = (declared: readonly DeclaredTable[], names: readonly string[]): readonly DeclaredTable[] =>
  declared.filter(({ name }) => names.includes(name)).map(withoutLoose)

/** The declaration of a column that was added to a table in use. */
export function declaredColumn(declared: readonly DeclaredTable[], table: string, column: string): DeclaredColumn {
  const { columns, hidden } = declared.find(({ name }) => name === table) ?? {}
  const found = columns?.[column] ?? hidden?.[column]
  if (found === undefined) throw new TypeError(`${table} has no column ${column}`)
  return found
}

/** The database enforces no loose reference: the row may be gone, or its table may not exist yet. */
const withoutLoose = (table: DeclaredTable): DeclaredTable => ({
  ...table,
  columns: Object.fromEntries(
    Object.entries(withoutAdded(table.columns, table.name)).map(([name, { to, ...column }]) => [
      name,
      to === undefined || to.isLoose === true ? column : { ...column, to },
    ]),
  ),
  ...(table.hidden === undefined ? {} : { hidden: withoutAdded(table.hidden, table.name) }),
})

const withoutAdded = (columns: Readonly<Record<string, DeclaredColumn>>, table: string) =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => columnsAddedLater[table]?.has(name) !== true))

/** Service tables that are not collections. */
const inner = [
  'service_version',
  'service_collections',
  'service_fields',
  'service_relations',
  'service_idempotency',
  'service_schema_steps',
  'service_login_failures',
  'service_one_time',
  'service_names',
  'service_locks',
  'service_watch',
  'service_uploads',
  'service_outbox',
  'service_events',
  'service_event_head',
  'service_event_interest',
  'service_extension_cursors',
]

/** The service's own tables, for databases where they share a schema with the user's tables. */
export const ownNames = (declared: readonly string[]): readonly string[] => [...inner, ...declared]

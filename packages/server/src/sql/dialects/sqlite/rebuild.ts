import type BetterSqlite from 'better-sqlite3'
import { dropClause, readColumn, setDefault, setNullable, setType } from './column-text.ts'
import { foreignKeyName } from './foreign-keys.ts'
import { tokensOf } from '../base/sql-tokens.ts'
import { columnsIn, constraintName, mentions, readTable, type TableText } from './table-text.ts'
import { TRIGGER } from './triggers.ts'

/** A table change that the database has no statement for. The texts in it are SQL that this code generates. */
export type Edit =
  | { readonly kind: 'add-column'; readonly name: string; readonly definition: string; readonly fill: string | null }
  | { readonly kind: 'drop-column'; readonly name: string }
  | { readonly kind: 'set-type'; readonly name: string; readonly type: string; readonly using: string }
  | { readonly kind: 'set-default'; readonly name: string; readonly default: string | null }
  | { readonly kind: 'set-nullable'; readonly name: string; readonly isNullable: boolean }
  | { readonly kind: 'add-constraint'; readonly text: string }
  | { readonly kind: 'drop-constraint'; readonly name: string }

export interface Rebuild {
  readonly table: string
  readonly edits: readonly Edit[]
}

/** Begins a text that stands in for a statement; its only value is a Rebuild as JSON. */
export const REBUILD = 'rebuild table '

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

interface Made {
  readonly text: TableText
  /** Column → the expression that fills it, without generated columns. */
  readonly values: ReadonlyMap<string, string>
}

/** Constraints are dropped first: a replacement may have the same columns and the same name. */
const inOrder = (edits: readonly Edit[]): readonly Edit[] =>
  edits.toSorted((a, b) => Number(b.kind === 'drop-constraint') - Number(a.kind === 'drop-constraint'))

/**
 * Recreates the table and copies its rows, with its indexes and triggers, inside the running transaction. Foreign keys
 * are not enforced meanwhile: the connection for schema changes does not enforce them, see thread.ts.
 */
export function rebuild(database: BetterSqlite.Database, { table, edits }: Rebuild): void {
  const objects = database
    .prepare<[string], { type: string; name: string; sql: string | null }>(
      `select type, name, sql from sqlite_schema where tbl_name = ? collate nocase order by type = 'table' desc, rowid`,
    )
    .all(table)
  const usable = usableViews(database)
  const [stored, ...others] = objects
  const text = readTable(stored?.sql ?? '')
  if (stored === undefined || text === null || stored.type !== 'table') throw new Error(`no such table: ${table}`)
  const made = inOrder(edits).reduce((state, edit) => edited(state, edit, stored.name, database), begin(text))
  const next = `tain_new_${stored.name}`
  const names = [...made.values.keys()]
  const counter = counterOf(database, stored.name)
  database.exec(`create table ${quoted(next)} (${definitionsOf(made.text)}) ${made.text.options}`)
  database.exec(
    `insert into ${quoted(next)} (${names.map(quoted).join(', ')}) select ${[...made.values.values()].join(', ')} from ${quoted(stored.name)}`,
  )
  database.exec(`drop table ${quoted(stored.name)}`)
  // Views and triggers keep referring to the table by its name, see legacy_alter_table in runner.ts.
  database.exec(`alter table ${quoted(next)} rename to ${quoted(stored.name)}`)
  if (counter !== null && counterOf(database, stored.name) !== null)
    database.prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?').run(counter, stored.name)
  const gone = edits.flatMap((edit) => (edit.kind === 'drop-column' ? [edit.name] : []))
  for (const { type, name, sql } of others) {
    // They would name a column that is gone, and every write would fail. An administrator makes them anew.
    if (type === 'trigger' && name.startsWith(TRIGGER) && gone.length > 0) continue
    if (sql === null || (type === 'index' && gone.some((name) => mentions(sql.slice(sql.indexOf('(')), name)))) continue
    database.exec(sql)
  }
  for (const name of usable) {
    const fault = viewFault(database, name)
    if (fault !== null) throw new Error(`error in view ${name}: ${fault}`)
  }
}

/** Views that can be read now; a change must not break them. */
const usableViews = (database: BetterSqlite.Database): readonly string[] =>
  database
    .prepare<[], { name: string }>(`select name from sqlite_schema where type = 'view'`)
    .all()
    .map(({ name }) => name)
    .filter((name) => viewFault(database, name) === null)

function viewFault(database: BetterSqlite.Database, name: string): string | null {
  try {
    database.prepare(`select * from ${quoted(name)}`)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The value of a counter that never goes back; null for tables without one. */
function counterOf(database: BetterSqlite.Database, table: string): bigint | null {
  const hasCounters = database.prepare(`select 1 from sqlite_schema where name = 'sqlite_sequence'`).get()
  if (hasCounters === undefined) return null
  const found = database.prepare<[string], { seq: bigint }>('select seq from sqlite_sequence where name = ?').get(table)
  return found?.seq ?? null
}

function begin(text: TableText): Made {
  const stored = text.columns.filter(
    ({ definition }) => !readColumn(definition).clauses.some(({ kind }) => kind === 'generated'),
  )
  return { text, values: new Map(stored.map(({ name }) => [name, quoted(name)])) }
}

const definitionsOf = ({ columns, constraints }: TableText): string =>
  [...columns.map(({ name, definition }) => `${quoted(name)} ${definition}`), ...constraints].join(', ')

/** A rowid key accepts only whole numbers. */
function refuseKey(definition: string): void {
  if (readColumn(definition).clauses.some(({ kind, text }) => kind === 'primary' && /autoincrement/iu.test(text)))
    throw new Error('the database cannot change a counter')
}

function edited(state: Made, edit: Edit, table: string, database: BetterSqlite.Database): Made {
  const { text, values } = state
  const change = (name: string, to: (definition: string) => string): TableText => {
    if (!text.columns.some((column) => isSame(column.name, name))) throw new Error(`no such column: ${name}`)
    const columns = text.columns.map((column) =>
      isSame(column.name, name) ? { ...column, definition: to(column.definition) } : column,
    )
    return { ...text, columns }
  }
  switch (edit.kind) {
    case 'add-column': {
      const columns = [...text.columns, { name: edit.name, definition: edit.definition }]
      const filled = edit.fill === null ? values : new Map([...values, [edit.name, edit.fill]])
      return { text: { ...text, columns }, values: filled }
    }
    case 'drop-column': {
      if (!text.columns.some((column) => isSame(column.name, edit.name)))
        throw new Error(`no such column: ${edit.name}`)
      const columns = text.columns.filter((column) => !isSame(column.name, edit.name))
      const constraints = text.constraints.filter((constraint) => !mentions(ownPart(constraint), edit.name))
      return {
        text: { ...text, columns, constraints },
        values: new Map([...values].filter(([name]) => !isSame(name, edit.name))),
      }
    }
    case 'set-type': {
      const next = change(edit.name, (definition) => {
        refuseKey(definition)
        return setType(definition, edit.type, edit.name)
      })
      return {
        text: next,
        values: new Map([...values].map(([name, value]) => [name, isSame(name, edit.name) ? edit.using : value])),
      }
    }
    case 'set-default':
      return { ...state, text: change(edit.name, (definition) => setDefault(definition, edit.default)) }
    case 'set-nullable':
      return { ...state, text: change(edit.name, (definition) => setNullable(definition, edit.isNullable)) }
    case 'add-constraint':
      return { ...state, text: { ...text, constraints: [...text.constraints, edit.text] } }
    case 'drop-constraint':
      return { ...state, text: withoutConstraint(text, edit.name, table, database) }
  }
}

/** The part of a constraint before REFERENCES: names after it belong to another table. */
const ownPart = (constraint: string): string => {
  const reference = tokensOf(constraint).find((token) => token.depth === 0 && token.text.toLowerCase() === 'references')
  return reference === undefined ? constraint : constraint.slice(0, reference.start)
}

/** Constraints are found by their explicit name, or by the name that introspection gives them. */
function withoutConstraint(text: TableText, name: string, table: string, database: BetterSqlite.Database): TableText {
  const unique = uniqueColumns(database, table, name)
  const isMeant = (constraint: string): boolean => {
    if (constraintName(constraint) === name) return true
    const columns = columnsIn(ownPart(constraint))
    if (/\bforeign\b/iu.test(constraint)) return foreignKeyName(table, columns) === name
    return unique !== null && /\bunique\b/iu.test(constraint) && columns.join('\u0000') === unique.join('\u0000')
  }
  const constraints = text.constraints.filter((constraint) => !isMeant(constraint))
  if (constraints.length < text.constraints.length) return { ...text, constraints }
  const columns = text.columns.map((column) => {
    const { clauses } = readColumn(column.definition)
    const found = clauses.find(
      (clause) =>
        constraintName(clause.text) === name ||
        (clause.kind === 'references' && foreignKeyName(table, [column.name]) === name) ||
        (clause.kind === 'unique' && unique?.length === 1 && isSame(unique[0] ?? '', column.name)),
    )
    return found === undefined ? column : { ...column, definition: dropClause(column.definition, found.kind) }
  })
  if (columns.every((column, index) => column === text.columns[index])) throw new Error(`no such index: ${name}`)
  return { ...text, columns }
}

function uniqueColumns(database: BetterSqlite.Database, table: string, name: string): readonly string[] | null {
  const rows = database
    .prepare<[string, string], { name: string | null }>(
      `select x.name from pragma_index_list(?) i join pragma_index_info(i.name) x where i.name = ? order by x.seqno`,
    )
    .all(table, name)
  return rows.length === 0 ? null : rows.map((row) => row.name ?? '')
}

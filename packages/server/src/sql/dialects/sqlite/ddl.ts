import type { ReferentialAction } from '../../database-schema.ts'
import { statementOf } from '../../database.ts'
import type {
  ColumnDefinition,
  DdlPlan,
  DdlStatement,
  DdlStatements,
  Lock,
  Obstacle,
  SchemaChange,
  TableRef,
} from '../../ddl.ts'
import type { Statement } from '../../driver.ts'
import { allOf, list, sql, table as tableSql, type Sql } from '../../sql.ts'
import { faultOf, isBusy } from './ddl-errors.ts'
import { flagCheck } from './column-text.ts'
import { conversion, defaultSql, described, misfits, nativeType, typeText } from './ddl-types.ts'
import { sqlite } from './index.ts'
import { REBUILD, type Edit, type Rebuild } from './rebuild.ts'
import { SCHEMA } from './scope.ts'
import { TAKE_LOCK } from './schema-lock.ts'
import { COUNT_ROWS } from './table-sizes.ts'

type Of<K extends SchemaChange['kind']> = Extract<SchemaChange, { kind: K }>

const nameOf = ({ table }: TableRef): Sql => tableSql(SCHEMA, table)

/** Definitions take no binds: they contain only identifiers and quoted values. */
function textOf(fragment: Sql): string {
  const { text, values } = statementOf(fragment, sqlite)
  if (values.length > 0) throw new TypeError('a definition was built with a bind')
  return text
}

/** Every write is exclusive in this database. */
const LOCK: Lock = 'ACCESS EXCLUSIVE'

const step = (table: TableRef, statement: Statement, rewrites: boolean, scans: boolean): DdlStatement => ({
  statement,
  table,
  lock: LOCK,
  rewrites,
  scans: scans || rewrites,
})

const plainStep = (table: TableRef, fragment: Sql, scans = false): DdlStatement =>
  step(table, { text: textOf(fragment), values: [] }, false, scans)

const actions: Readonly<Record<ReferentialAction, Sql>> = {
  'NO ACTION': sql`no action`,
  RESTRICT: sql`restrict`,
  CASCADE: sql`cascade`,
  'SET NULL': sql`set null`,
  'SET DEFAULT': sql`set default`,
}

const pairsOf = ({ column, toColumn, rest = [] }: Of<'add-foreign-key'>) => [[column, toColumn] as const, ...rest]

function foreignKeySql(change: Of<'add-foreign-key'>): Sql {
  const { name, to, onDelete, onUpdate } = change
  const from = list(pairsOf(change).map(([column]) => sql.id(column)))
  const into = list(pairsOf(change).map(([, column]) => sql.id(column)))
  return sql`constraint ${sql.id(name)} foreign key (${from}) references ${sql.id(to.table)} (${into}) on delete ${actions[onDelete]} on update ${actions[onUpdate]}`
}

/** Everything after the name in a column definition. */
function definitionText({ name, form, isNullable, default: value, isCounter }: ColumnDefinition): string {
  if (isCounter) return 'integer primary key autoincrement'
  const parts = [typeText(form)]
  if (!isNullable) parts.push('not null')
  if (value !== null) parts.push(`default ${textOf(defaultSql(value, form))}`)
  const check = flagCheck(name, typeText(form))
  return [...parts, ...(check === null ? [] : [check])].join(' ')
}

const quoted = (name: string) => textOf(sql`${sql.id(name)}`)

function createTable({ table, columns, key }: Of<'create-table'>): DdlStatement {
  const definitions = columns.map((column) => `${quoted(column.name)} ${definitionText(column)}`)
  const hasCounter = columns.some(({ isCounter }) => isCounter)
  const keys = key.length === 0 || hasCounter ? [] : [`primary key (${key.map(quoted).join(', ')})`]
  const text = `create table ${textOf(nameOf(table))} (${[...definitions, ...keys].join(', ')})`
  return step(table, { text, values: [] }, false, false)
}

/** Edits for which the table must be rebuilt; null if the database has a statement for the change. */
function editFor(change: SchemaChange): readonly Edit[] | null {
  switch (change.kind) {
    case 'add-column': {
      const { name, default: value, isNullable, form, isCounter } = change.column
      if (isCounter) throw new TypeError('a counter is made with its table')
      // The database can add a column whose value is the same in every row.
      const isSimple = (value === null && isNullable) || value?.kind === 'value'
      const fill = value === null ? null : textOf(defaultSql(value, form))
      return isSimple ? null : [{ kind: 'add-column', name, definition: definitionText(change.column), fill }]
    }
    case 'drop-column':
      return [{ kind: 'drop-column', name: change.column }]
    case 'set-type': {
      const { column: name, from, to, default: value } = change
      const edit: Edit = { kind: 'set-type', name, type: typeText(to), using: textOf(conversion(from, to)) }
      const text = value === null || value === 'kept' ? null : textOf(defaultSql(value, to))
      return value === 'kept' ? [edit] : [edit, { kind: 'set-default', name, default: text }]
    }
    case 'set-default': {
      const { column: name, form, default: value } = change
      return [{ kind: 'set-default', name, default: value === null ? null : textOf(defaultSql(value, form)) }]
    }
    case 'set-not-null':
    case 'drop-not-null':
      return [{ kind: 'set-nullable', name: change.column, isNullable: change.kind === 'drop-not-null' }]
    case 'drop-constraint':
      return [{ kind: 'drop-constraint', name: change.name }]
    case 'add-foreign-key':
      return [{ kind: 'add-constraint', text: textOf(foreignKeySql(change)) }]
    default:
      return null
  }
}

/** This database does not store comments. */
function statementsFor(change: SchemaChange): readonly DdlStatement[] {
  const { table } = change
  switch (change.kind) {
    case 'create-table':
      return [createTable(change)]
    case 'drop-table':
      return [plainStep(table, sql`drop table ${nameOf(table)}`)]
    case 'check-empty': {
      const held = change.column === null ? sql`` : sql` where ${sql.id(change.column)} is not null`
      return [plainStep(table, sql`select tain_refuse() from ${nameOf(table)}${held} limit 1`, true)]
    }
    case 'add-column': {
      const text = `alter table ${textOf(nameOf(table))} add column ${quoted(change.column.name)} ${definitionText(change.column)}`
      return [step(table, { text, values: [] }, false, false)]
    }
    case 'add-index':
      return [
        plainStep(
          table,
          sql`create index ${tableSql(SCHEMA, change.name)} on ${sql.id(table.table)} (${sql.id(change.column)})`,
          true,
        ),
      ]
    case 'add-unique':
      return [
        plainStep(
          table,
          sql`create unique index ${tableSql(SCHEMA, change.name)} on ${sql.id(table.table)} (${sql.id(change.column)})`,
          true,
        ),
      ]
    case 'drop-index':
      return [plainStep(table, sql`drop index ${tableSql(SCHEMA, change.name)}`)]
    default:
      return []
  }
}

const told: Readonly<Record<Edit['kind'], (edit: never) => string>> = {
  'add-column': ({ name, definition }: Extract<Edit, { kind: 'add-column' }>) => `add ${quoted(name)} ${definition}`,
  'drop-column': ({ name }: Extract<Edit, { kind: 'drop-column' }>) => `drop ${quoted(name)}`,
  'set-type': ({ name, type, using }: Extract<Edit, { kind: 'set-type' }>) =>
    `${quoted(name)} becomes ${type} using ${using}`,
  'set-default': ({ name, default: value }: Extract<Edit, { kind: 'set-default' }>) =>
    `${quoted(name)} default ${value ?? 'null'}`,
  'set-nullable': ({ name, isNullable }: Extract<Edit, { kind: 'set-nullable' }>) =>
    `${quoted(name)} ${isNullable ? 'null' : 'not null'}`,
  'add-constraint': ({ text }: Extract<Edit, { kind: 'add-constraint' }>) => `add ${text}`,
  'drop-constraint': ({ name }: Extract<Edit, { kind: 'drop-constraint' }>) => `drop constraint ${quoted(name)}`,
}

function rebuildStep(table: TableRef, edits: readonly Edit[]): DdlStatement {
  const rebuild: Rebuild = { table: table.table, edits }
  const words = edits.map((edit) => told[edit.kind](edit as never))
  const text = `${REBUILD}${quoted(table.table)}: ${words.join(', ')}`
  return step(table, { text, values: [JSON.stringify(rebuild)] }, true, true)
}

/** Consecutive changes of one table copy its rows once. */
function plan(changes: readonly SchemaChange[]): DdlPlan {
  const statements: DdlStatement[] = []
  let open: { readonly table: TableRef; readonly edits: Edit[] } | null = null
  const finish = () => {
    if (open !== null) statements.push(rebuildStep(open.table, open.edits))
    open = null
  }
  for (const change of changes) {
    const edits = editFor(change)
    if (edits === null) {
      finish()
      statements.push(...statementsFor(change))
    } else if (open !== null && open.table.table === change.table.table) open.edits.push(...edits)
    else {
      finish()
      open = { table: change.table, edits: [...edits] }
    }
  }
  finish()
  return { preparations: [], statements }
}

/** Views that use the table or the column. */
const dependentsOf = ({ table }: TableRef, column: string | null): Statement => ({
  text: `select count(*), group_concat(name, ', ') from sqlite_schema where type = 'view' and tain_mentions(sql, ?)
    and (? is null or tain_mentions(sql, ?))`,
  values: [table, column, column],
})

function obstaclesTo(change: SchemaChange): readonly Obstacle[] {
  const { table } = change
  const counted = (kind: Obstacle['kind'], column: string | null, rows: Sql): Obstacle => ({
    kind,
    table,
    column,
    count: statementOf(sql`select count(*) from ${rows}`, sqlite),
  })
  const dependents = (column: string | null): Obstacle => ({
    kind: 'dependent',
    table,
    column,
    count: dependentsOf(table, column),
  })
  switch (change.kind) {
    case 'add-column': {
      const { name, isNullable, default: value, isCounter } = change.column
      return isNullable || value !== null || isCounter ? [] : [counted('null', name, nameOf(table))]
    }
    case 'set-not-null':
      return [counted('null', change.column, sql`${nameOf(table)} where ${sql.id(change.column)} is null`)]
    case 'add-unique': {
      const name = sql.id(change.column)
      const same = sql`(select 1 from ${nameOf(table)} where ${name} is not null group by ${name} having count(*) > 1) as same`
      return [counted('duplicate', change.column, same)]
    }
    case 'add-foreign-key': {
      const pairs = pairsOf(change)
      const same = allOf(pairs.map(([from, to]) => sql`o.${sql.id(to)} = m.${sql.id(from)}`))
      const isSet = allOf(pairs.map(([from]) => sql`m.${sql.id(from)} is not null`))
      const found = sql`select 1 from ${nameOf(change.to)} as o where ${same}`
      return [counted('dangling', change.column, sql`${nameOf(table)} as m where ${isSet} and not exists (${found})`)]
    }
    case 'set-type': {
      const misfit = misfits(change.from, change.to)
      return misfit === null
        ? []
        : [counted(misfit.kind, change.column, sql`${nameOf(table)} where ${misfit.condition}`)]
    }
    case 'check-empty': {
      const held = change.column === null ? sql`` : sql` where ${sql.id(change.column)} is not null`
      return [counted('populated', change.column, sql`${nameOf(table)}${held}`)]
    }
    case 'drop-column':
      return [dependents(change.column)]
    case 'drop-table':
      return [dependents(null)]
    default:
      return []
  }
}

const nothing: Statement = { text: 'select 1', values: [] }

export const ddl: DdlStatements = {
  reservedColumns: new Set(['rowid', 'oid', '_rowid_']),
  nameLength: 200,
  nativeType,
  described,
  print: null,
  plan,
  obstaclesTo,
  // Nothing is created in advance: a change is always one transaction.
  permission: null,
  takeBack: () => ({ statement: nothing, isOutside: false }),
  lock: (_, wait) => [{ text: TAKE_LOCK, values: [String(wait)] }],
  impatience: () => nothing,
  isUnderWay: null,
  tryLock: () => ({ text: TAKE_LOCK, values: ['0'] }),
  sizes: (tables) => ({ text: COUNT_ROWS, values: [JSON.stringify(tables.map(({ table }) => table))] }),
  indexes: ({ table }) => ({
    text: `select i.name, (select json_group_array(x.name) from pragma_index_xinfo(i.name) x where x.key),
        iif(i."unique", 't', 'f'), iif(i.origin in ('u', 'pk'), 't', 'f'), iif(i.origin = 'pk', 't', 'f')
      from pragma_index_list(?) i where not i.partial
        and not exists (select 1 from pragma_index_xinfo(i.name) x where x.key and x.name is null) order by i.name`,
    values: [table],
  }),
  taken: (_, names) => ({
    text: 'select name from sqlite_schema where name in (select value from json_each(?))',
    values: [JSON.stringify(names)],
  }),
  faultOf,
  isBusy,
}

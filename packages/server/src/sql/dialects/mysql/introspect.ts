import type { MirrorScope } from '../../database.ts'
import type {
  DatabaseColumn,
  DatabaseForeignKey,
  DatabaseSchema,
  DatabaseTable,
  HiddenObject,
  ReferentialAction,
  TableKind,
} from '../../database-schema.ts'
import type { Row, Statement } from '../../driver.ts'
import type { Capabilities, Server } from './capabilities.ts'
import { allowsFlagOnly } from '../base/flag-check.ts'
import { indexColumns, type CatalogueIndex } from '../base/index-columns.ts'
import { insertTriggers, servedBy } from './fingerprint.ts'
import { serviceTableNames } from '../../service/tables.ts'
import { PUT_AWAY, quotedTable } from './names.ts'
import { UUID_COLLATION, UUID_TEXT } from './native-types.ts'
import { defaultOf, quotedDefault } from './printed-default.ts'
import { mayBeCut, printedKeys } from './printed-keys.ts'
import { readColumn, readTable, type TableText } from './table-text.ts'

/** The catalogue's replacement for a character outside the Basic Multilingual Plane. */
const LOST = '????'

/** Longer conditions say more than that a column is a document or a flag. */
const LONGEST_CHECK = 500

type Query = (statement: Statement) => Promise<readonly Row[]>

/**
 * Reads the catalogue in a fixed number of queries, each over all tables of a kind. Where the catalogue is incomplete,
 * the table is read again with SHOW CREATE TABLE. The server opens every table for every query, so half of the queries
 * run on a second connection, `aside`: the catalogue belongs to no transaction anyway.
 */
export const createIntrospect =
  (server: Server, aside: Query) =>
  (query: Query, scope: MirrorScope): Promise<DatabaseSchema> =>
    introspect(query, (statement) => aside(statement).catch(() => query(statement)), scope, server.can)

async function introspect(query: Query, aside: Query, scope: MirrorScope, can: Capabilities): Promise<DatabaseSchema> {
  const { isServed, values } = servedBy(scope)
  const checksText = checksTextOf(can)
  const shared = [foreignKeysText, checksText, rulesText, indexesText, triggersText]
  const found = new Map<TextOf, readonly Row[]>()
  const readOver = async (ask: Query, first: readonly TextOf[]) => {
    const own = [...first]
    const next = () => own.shift() ?? shared.shift()
    for (let textOf = next(); textOf !== undefined; textOf = next())
      found.set(textOf, await ask({ text: textOf(isServed), values }))
  }
  // Columns are read after tables: a table created in the meantime appears in the next introspection, instead of
  // without columns now.
  await Promise.all([readOver(query, [tablesText, columnsText]), readOver(aside, [])]).catch((error: unknown) => {
    shared.length = 0
    throw error
  })
  const rowsOf = (textOf: TextOf): readonly Row[] => found.get(textOf) ?? none
  const checks = groupByTable(rowsOf(checksText))
  const columnRows = rowsOf(columnsText).filter(([, , name]) => !isPutAway(name))
  const indexes = groupByTable(rowsOf(indexesText).filter((row) => !isPutAway(row[4])))
  const rules = new Map(rowsOf(rulesText).map((row) => [partKey(row), row]))
  const keyRows = rowsOf(foreignKeysText).map((row) => [...row, ...(rules.get(partKey(row)) ?? []).slice(3)])
  const keyed = keyedColumns(rowsOf(indexesText), keyRows)
  const own = new Set(serviceTableNames)
  const isOwn = (row: Row) => row[4] === scope.systemSchema && own.has(row[5] ?? '')
  const toOwn = new Set(
    keyRows.flatMap((row) => (isOwn(row) ? [partKey([row[0] ?? '', row[1] ?? '', row[3] ?? ''])] : [])),
  )
  const foreignKeys = new Map([...groupByTable(keyRows)].map(([table, rows]) => [table, foreignKeysOf(rows)]))
  const isDoubtful = (row: Row) => row[6]?.includes(LOST) === true
  const unclear = [...columnRows.filter(isDoubtful), ...keyRows.filter((row) => mayBeCut(row[2]))]
  const printed = new Map<string, TableText>()
  for (const key of new Set(unclear.map(tableKey))) {
    const [schema = '', table = ''] = key.split('\u0000')
    const [row] = await query({ text: `show create table ${quotedTable({ schema, table })}`, values: [] })
    const text = readTable(row?.[1] ?? '')
    printed.set(key, text)
    foreignKeys.set(key, printedKeys(text, schema))
  }
  const columns = inPosition(
    groupByTable(
      columnRows.map((row) => {
        const definition = isDoubtful(row) ? printed.get(tableKey(row))?.columns.get(row[2] ?? '') : undefined
        return definition === undefined ? row : row.with(6, readColumn(definition).default)
      }),
    ),
  )
  const triggered = new Set(rowsOf(triggersText).map(tableKey))
  const hidden: HiddenObject[] = []
  const served = rowsOf(tablesText).flatMap((row) => {
    const found = tableOf(row, { can, checks, keyed, toOwn, columns, indexes, foreignKeys, triggered })
    if (found.columns.length > 0) return [found]
    const reason = 'the database user may not SELECT from this table'
    hidden.push({ schema: found.schema, table: found.name, column: null, reason })
    return []
  })
  return { defaultSchema: scope.systemSchema, tables: served, hidden }
}

type TextOf = (isServed: (alias: string) => string) => string

const tablesText: TextOf = (
  isServed,
) => `select t.table_schema, t.table_name, t.table_type, t.table_comment, e.transactions
  from information_schema.tables t left join information_schema.engines e on e.engine = t.engine
  where t.table_type in ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') and ${isServed('t')}
  order by t.table_schema, t.table_name`

const columnsText: TextOf = (
  isServed,
) => `select c.table_schema, c.table_name, c.column_name, c.data_type, c.column_type, c.is_nullable,
    c.column_default, c.extra, c.character_maximum_length, c.numeric_precision, c.numeric_scale, c.collation_name,
    c.generation_expression, c.column_comment, c.privileges, c.ordinal_position
  from information_schema.columns c where ${isServed('c')}`

const indexesText: TextOf = (
  isServed,
) => `select i.table_schema, i.table_name, i.index_name, i.non_unique, i.column_name, i.sub_part
  from information_schema.statistics i where ${isServed('i')}
  order by i.table_schema, i.table_name, i.index_name <> 'PRIMARY', i.index_name, i.seq_in_index`

const foreignKeysText: TextOf = (isServed) => `select k.table_schema, k.table_name, k.constraint_name, k.column_name,
    k.referenced_table_schema, k.referenced_table_name, k.referenced_column_name
  from information_schema.key_column_usage k where k.referenced_table_name is not null and ${isServed('k')}
  order by k.table_schema, k.table_name, k.constraint_name, k.ordinal_position`

// Read separately: in a join the server would search one of the two for every row of the other.
const rulesText: TextOf = (
  isServed,
) => `select r.table_schema, r.table_name, r.constraint_name, r.update_rule, r.delete_rule
  from (select constraint_schema as table_schema, table_name, constraint_name, update_rule, delete_rule
    from information_schema.referential_constraints) r
  where ${isServed('r')}`

const namedChecks = `(select constraint_schema as table_schema, table_name, constraint_name, check_clause
    from information_schema.check_constraints)`
const joinedChecks = `(select t.table_schema, t.table_name, t.constraint_name, c.check_clause
    from information_schema.table_constraints t join information_schema.check_constraints c
    on c.constraint_schema = t.constraint_schema and c.constraint_name = t.constraint_name where t.constraint_type = 'CHECK')`

const checksTextOf =
  ({ namesTableOfCheck }: Capabilities): TextOf =>
  (isServed) =>
    `select k.table_schema, k.table_name, k.constraint_name, k.check_clause
  from ${namesTableOfCheck ? namedChecks : joinedChecks} k
  where (char_length(k.check_clause) <= ${LONGEST_CHECK} or k.check_clause like 'json_valid(%') and ${isServed('k')}`

const triggersText: TextOf = (isServed) =>
  `select g.table_schema, g.table_name from ${insertTriggers} g where ${isServed('g')}`

/** Objects that a schema change has put away until it is certain are hidden. */
const isPutAway = (name: string | null | undefined) => name?.startsWith(PUT_AWAY) === true

const tableKey = (row: Row) => `${row[0]}\u0000${row[1]}`

/** The key of a column or a constraint. */
const partKey = (row: Row) => `${row[0]}\u0000${row[1]}\u0000${row[2]}`

/** Rows of one table are mostly adjacent. */
function groupByTable(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>()
  let group: Row[] = []
  for (const row of rows) {
    const last = group[0]
    if (last === undefined || last[1] !== row[1] || last[0] !== row[0]) {
      const key = tableKey(row)
      group = groups.get(key) ?? []
      groups.set(key, group)
    }
    group.push(row)
  }
  return groups
}

/** Columns of primary keys, and of foreign keys on both sides. */
const keyedColumns = (indexes: readonly Row[], foreignKeys: readonly Row[]): ReadonlySet<string> =>
  new Set([
    ...indexes.flatMap(([schema, table, index, , column]) =>
      index === 'PRIMARY' ? [partKey([schema ?? '', table ?? '', column ?? ''])] : [],
    ),
    ...foreignKeys.flatMap((row) => [partKey([row[0] ?? '', row[1] ?? '', row[3] ?? '']), partKey(row.slice(4, 7))]),
  ])

const POSITION = 15

/**
 * Columns arrive table by table and in order, but not every server guarantees it. With an ORDER BY the server would
 * sort the columns of all tables.
 */
function inPosition(tables: ReadonlyMap<string, Row[]>): ReadonlyMap<string, readonly Row[]> {
  for (const rows of tables.values()) rows.sort((a, b) => Number(a[POSITION]) - Number(b[POSITION]))
  return tables
}

interface Parts {
  readonly can: Capabilities
  readonly checks: ReadonlyMap<string, readonly Row[]>
  /** Columns of keys. */
  readonly keyed: ReadonlySet<string>
  /** Columns that refer to the service's own tables, where UUIDs are texts. */
  readonly toOwn: ReadonlySet<string>
  readonly columns: ReadonlyMap<string, readonly Row[]>
  readonly indexes: ReadonlyMap<string, readonly Row[]>
  readonly foreignKeys: ReadonlyMap<string, readonly DatabaseForeignKey[]>
  readonly triggered: ReadonlySet<string>
}

const none: readonly never[] = Object.freeze([])

function tableOf(row: Row, parts: Parts): DatabaseTable {
  const [schema = '', name = '', type, comment, transactions] = row.map((value) => value ?? '')
  const key = tableKey(row)
  const allRows = parts.columns.get(key) ?? none
  const { privileges, isReadable } = privilegesOf(allRows)
  const columnRows = allRows.filter(isReadable)
  const columns = columnRows.map((column) => columnOf(column, parts))
  const indexes = indexesOf(parts.indexes.get(key) ?? none)
  const kind: TableKind = type === 'VIEW' ? 'view' : 'table'
  const names = new Set(columns.map((column) => column.name))
  return {
    schema,
    name,
    kind,
    // The comment of a view is always "VIEW".
    comment: kind === 'view' || comment === '' || comment === undefined ? null : comment,
    columns,
    primaryKey:
      indexes.find((index) => index.name === 'PRIMARY' && index.covered.every((column) => names.has(column)))
        ?.covered ?? none,
    ...indexColumns(indexes),
    foreignKeys: parts.foreignKeys.get(key) ?? none,
    isPartlyReadable: columns.length < allRows.length,
    isTransactional: transactions !== 'NO',
    hasInsertTrigger: parts.triggered.has(key),
    privileges,
  }
}

const PRIVILEGES = 14

/** Privileges on a table, derived from those on its columns. Most columns share one list. */
function privilegesOf(columns: readonly Row[]) {
  const lists = new Map<string | null | undefined, readonly string[]>()
  for (const { [PRIVILEGES]: text } of columns) if (!lists.has(text)) lists.set(text, (text ?? '').split(','))
  const readable = [...lists.values()].filter((list) => list.includes('select'))
  const some = (privilege: string) => readable.some((list) => list.includes(privilege))
  return {
    privileges: { insert: some('insert'), update: some('update'), delete: some('insert') },
    isReadable: ({ [PRIVILEGES]: text }: Row) => lists.get(text)?.includes('select') === true,
  }
}

interface Traits {
  readonly isDocument: boolean
  readonly isUuid: boolean
  readonly isFlag: boolean
}

/** The name of the type that the rest of the dialect uses. */
function baseTypeOf(dataType: string, columnType: string, { isDocument, isUuid, isFlag }: Traits): string {
  if (isDocument) return 'json'
  if (isUuid) return 'uuid'
  if (isFlag) return 'bool'
  return /^(tinyint|smallint|mediumint|int|bigint)$/u.test(dataType) && columnType.includes('unsigned')
    ? `${dataType} unsigned`
    : dataType
}

/** Labels as the server prints them: quoted, with doubled quotes. */
const labelsOf = (columnType: string): readonly string[] =>
  [...columnType.matchAll(/'((?:[^']|'')*)'/gu)].map(([, label = '']) => label.replaceAll("''", "'"))

const numberOf = (value: string | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

const bitsOf: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, mediumint: 24, int: 32, bigint: 64 }

/**
 * Applications use tinyint(1) for flags, although (1) is only a display width. Numbers that identify rows, and columns
 * with another number as default, are no flags.
 */
const isFlagType = (columnType: string, printedDefault: string | null | undefined, isKeyed: boolean): boolean =>
  columnType === 'bit(1)' ||
  (columnType.startsWith('tinyint(1)') &&
    !isKeyed &&
    (!/^-?\d+$/u.test(printedDefault ?? '') || /^[01]$/u.test(printedDefault ?? '')))

// The type json is a longtext with a check that has the name of the column.
const isJsonCheck = (name: string, [, , constraint, clause]: Row): boolean =>
  constraint === name && clause?.startsWith('json_valid(') === true

function columnOf(row: Row, { can, checks, keyed, toOwn }: Parts): DatabaseColumn {
  const [, , name, type, fullType, nullable, printedDefault, extra, length, digits, scale, collation] = row
  const dataType = type ?? ''
  const columnType = fullType ?? ''
  const tableChecks = checks.get(tableKey(row)) ?? none
  const isDocument =
    !can.hasJsonType && dataType.endsWith('text') && tableChecks.some((check) => isJsonCheck(name ?? '', check))
  const isFlag = isFlagType(columnType, printedDefault, keyed.has(partKey(row)))
  const isUuid =
    columnType === UUID_TEXT && (toOwn.has(partKey(row)) || (!can.hasUuidType && collation === UUID_COLLATION))
  const baseType = baseTypeOf(dataType, columnType, { isDocument, isUuid, isFlag })
  const isCounter = (extra ?? '').includes('auto_increment')
  // For a column that is not generated, some servers return NULL, others an empty text.
  const generated = row[12] === '' ? null : (row[12] ?? null)
  const isBare = (extra ?? '').includes('DEFAULT_GENERATED') || numberOf(digits) !== null
  const isText = collation !== null && collation !== undefined
  const isLabelled = dataType === 'enum' || dataType === 'set'
  return {
    name: name ?? '',
    dataType: isDocument ? 'json' : baseType === 'bool' ? 'boolean' : baseType,
    castType: isText ? `${columnType} collate ${collation}` : columnType,
    baseType,
    enumValues: isLabelled ? labelsOf(columnType) : null,
    elementType: null,
    ...(baseType === 'int unsigned' ? { integerBits: 33 } : {}),
    holdsNumbers:
      isFlag &&
      dataType === 'tinyint' &&
      !tableChecks.some(([, , , clause]) => allowsFlagOnly(clause ?? '', name ?? '')),
    isComparable: !/^(geometry|point|linestring|polygon|multi)/u.test(dataType),
    isNullable: nullable === 'YES',
    defaultExpression:
      generated === null && !isCounter
        ? defaultOf(can.quotesDefaults ? printedDefault : quotedDefault(printedDefault, isBare), baseType)
        : null,
    maxLength: !isUuid && (dataType === 'varchar' || dataType === 'char') ? numberOf(length) : null,
    numericPrecision: bitsOf[dataType] ?? numberOf(digits),
    numericScale: numberOf(scale),
    generationExpression: generated,
    identity: isCounter ? 'by default' : null,
    hasAutoIncrement: isCounter,
    comment: row[13] === '' ? null : (row[13] ?? null),
  }
}

interface Index extends CatalogueIndex {
  readonly name: string
  /** Its columns, of which it may have the beginning only. */
  readonly covered: readonly string[]
}

const indexesOf = (rows: readonly Row[]): readonly Index[] =>
  [...Map.groupBy(rows, ([, , name]) => name ?? '')].map(([name, parts]) => {
    const covered = parts.flatMap(([, , , , column]) => column ?? [])
    const isWhole = covered.length === parts.length && parts.every(([, , , , , part]) => (part ?? null) === null)
    return {
      name,
      isUnique: parts[0]?.[3] === '0',
      covered,
      columns: isWhole ? covered : null,
      leading: parts[0]?.[4] ?? null,
    }
  })

const actions: ReadonlySet<string> = new Set(['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT'])

/** InnoDB treats NO ACTION as RESTRICT and prints the declared action. */
const actionOf = (rule: string | null | undefined): ReferentialAction =>
  (actions.has(rule ?? '') ? rule : 'NO ACTION') as ReferentialAction

function foreignKeysOf(rows: readonly Row[]): readonly DatabaseForeignKey[] {
  const byName = Map.groupBy(rows, (row) => row[2] ?? '')
  return [...byName].map(([name, parts]) => ({
    name,
    columns: parts.map((part) => part[3] ?? ''),
    toSchema: parts[0]?.[4] ?? '',
    toTable: parts[0]?.[5] ?? '',
    toColumns: parts.map((part) => part[6] ?? ''),
    onUpdate: actionOf(parts[0]?.[7]),
    onDelete: actionOf(parts[0]?.[8]),
  }))
}

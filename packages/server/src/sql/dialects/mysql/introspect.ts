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
import { servedBy } from './fingerprint.ts'
import { PUT_AWAY, quotedTable } from './names.ts'
import { UUID_COLLATION, UUID_TEXT } from './native-types.ts'
import { defaultOf, quotedDefault } from './printed-default.ts'
import { mayBeCut, printedKeys } from './printed-keys.ts'
import { readColumn, readTable, type TableText } from './table-text.ts'

/** What the catalogue makes of a character beyond the first plane. */
const LOST = '????'

type Query = (statement: Statement) => Promise<readonly Row[]>

/**
 * Reads the catalogue in a fixed number of queries, each over all tables of a kind. Where it does not tell all, the table
 * is read once more as the server prints it.
 */
export const createIntrospect =
  (server: Server) =>
  (query: Query, scope: MirrorScope): Promise<DatabaseSchema> =>
    introspect(query, scope, server.can)

async function introspect(query: Query, scope: MirrorScope, can: Capabilities): Promise<DatabaseSchema> {
  const { isServed, values } = servedBy(scope)
  const read = (textOf: (isServed: (alias: string) => string) => string) => query({ text: textOf(isServed), values })
  const tables = await read(tablesText)
  const documents = new Set(can.hasJsonType ? [] : (await read(documentsText)).map((row) => partKey(row)))
  const columnRows = (await read(columnsText)).filter(([, , name]) => !isPutAway(name))
  const indexes = groupByTable((await read(indexesText)).filter((row) => !isPutAway(row[4])))
  const rules = new Map((await read(rulesText)).map((row) => [partKey(row), row]))
  const keyRows = (await read(foreignKeysText)).map((row) => [...row, ...(rules.get(partKey(row)) ?? []).slice(3)])
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
  const columns = groupByTable(
    columnRows.map((row) => {
      const definition = isDoubtful(row) ? printed.get(tableKey(row))?.columns.get(row[2] ?? '') : undefined
      return definition === undefined ? row : row.with(6, readColumn(definition).default)
    }),
  )
  const hidden: HiddenObject[] = []
  const served = tables.flatMap((row) => {
    const found = tableOf(row, { can, documents, columns, indexes, foreignKeys })
    if (found.columns.length > 0) return [found]
    const reason = 'the database user may not SELECT from this table'
    hidden.push({ schema: found.schema, table: found.name, column: null, reason })
    return []
  })
  return { defaultSchema: scope.systemSchema, tables: served, hidden }
}

const tablesText = (
  isServed: (alias: string) => string,
) => `select t.table_schema, t.table_name, t.table_type, t.table_comment
  from information_schema.tables t
  where t.table_type in ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') and ${isServed('t')}
  order by t.table_schema, t.table_name`

const columnsText = (
  isServed: (alias: string) => string,
) => `select c.table_schema, c.table_name, c.column_name, c.data_type, c.column_type, c.is_nullable,
    c.column_default, c.extra, c.character_maximum_length, c.numeric_precision, c.numeric_scale, c.collation_name,
    c.generation_expression, c.column_comment, c.privileges
  from information_schema.columns c where ${isServed('c')}
  order by c.table_schema, c.table_name, c.ordinal_position`

const indexesText = (
  isServed: (alias: string) => string,
) => `select i.table_schema, i.table_name, i.index_name, i.non_unique, i.column_name, i.sub_part
  from information_schema.statistics i where ${isServed('i')}
  order by i.table_schema, i.table_name, i.index_name <> 'PRIMARY', i.index_name, i.seq_in_index`

const foreignKeysText = (
  isServed: (alias: string) => string,
) => `select k.table_schema, k.table_name, k.constraint_name, k.column_name,
    k.referenced_table_schema, k.referenced_table_name, k.referenced_column_name
  from information_schema.key_column_usage k where k.referenced_table_name is not null and ${isServed('k')}
  order by k.table_schema, k.table_name, k.constraint_name, k.ordinal_position`

// read apart: the server would look through one of the two for every row of the other
const rulesText = (
  isServed: (alias: string) => string,
) => `select r.table_schema, r.table_name, r.constraint_name, r.update_rule, r.delete_rule
  from (select constraint_schema as table_schema, table_name, constraint_name, update_rule, delete_rule
    from information_schema.referential_constraints) r
  where ${isServed('r')}`

// the type json is a longtext with a check of the column's own name
const documentsText = (
  isServed: (alias: string) => string,
) => `select k.constraint_schema, k.table_name, k.constraint_name
  from (select constraint_schema as table_schema, constraint_schema, table_name, constraint_name, check_clause
    from information_schema.check_constraints) k
  where k.check_clause like 'json_valid(%' and ${isServed('k')}`

/** What a change has put away until it is certain is not there for anybody. */
const isPutAway = (name: string | null | undefined) => name?.startsWith(PUT_AWAY) === true

const tableKey = (row: Row) => `${row[0]}\u0000${row[1]}`

/** Of a column or a constraint. */
const partKey = (row: Row) => `${row[0]}\u0000${row[1]}\u0000${row[2]}`

const groupByTable = (rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> =>
  Map.groupBy(rows, (row) => tableKey(row))

interface Parts {
  readonly can: Capabilities
  readonly documents: ReadonlySet<string>
  readonly columns: ReadonlyMap<string, readonly Row[]>
  readonly indexes: ReadonlyMap<string, readonly Row[]>
  readonly foreignKeys: ReadonlyMap<string, readonly DatabaseForeignKey[]>
}

const none: readonly never[] = Object.freeze([])

function tableOf(row: Row, parts: Parts): DatabaseTable {
  const [schema = '', name = '', type, comment] = row.map((value) => value ?? '')
  const key = tableKey(row)
  const columnRows = (parts.columns.get(key) ?? none).filter((column) => mayDo(column, 'select'))
  const columns = columnRows.map((column) => columnOf(column, parts))
  const indexes = indexesOf(parts.indexes.get(key) ?? none)
  const kind: TableKind = type === 'VIEW' ? 'view' : 'table'
  const names = new Set(columns.map((column) => column.name))
  return {
    schema,
    name,
    kind,
    // a view's comment is always the word itself
    comment: kind === 'view' || comment === '' || comment === undefined ? null : comment,
    columns,
    primaryKey:
      indexes.find((index) => index.name === 'PRIMARY' && index.columns.every((column) => names.has(column)))
        ?.columns ?? none,
    uniques: distinct(indexes.flatMap((index) => (index.isUnique && index.isWhole ? [index.columns] : []))),
    indexed: [
      ...new Set(
        indexes.flatMap(({ isUnique, columns: [leading] }) => (isUnique || leading === undefined ? [] : [leading])),
      ),
    ],
    foreignKeys: parts.foreignKeys.get(key) ?? none,
    isPartlyReadable: columns.length < (parts.columns.get(key) ?? none).length,
    privileges: {
      insert: columnRows.some((column) => mayDo(column, 'insert')),
      update: columnRows.some((column) => mayDo(column, 'update')),
      delete: columnRows.some((column) => mayDo(column, 'insert')),
    },
  }
}

const mayDo = (column: Row, privilege: string) => (column[14] ?? '').split(',').includes(privilege)

/** Name of the type as the rest of the dialect goes by it. */
function baseTypeOf(dataType: string, columnType: string, isDocument: boolean, isUuid: boolean): string {
  if (isDocument) return 'json'
  if (isUuid) return 'uuid'
  if (columnType.startsWith('tinyint(1)') || columnType === 'bit(1)') return 'bool'
  return /^(tinyint|smallint|mediumint|int|bigint)$/u.test(dataType) && columnType.includes('unsigned')
    ? `${dataType} unsigned`
    : dataType
}

/** Labels as the server prints them: quoted, with quotes doubled. */
const labelsOf = (columnType: string): readonly string[] =>
  [...columnType.matchAll(/'((?:[^']|'')*)'/gu)].map(([, label = '']) => label.replaceAll("''", "'"))

const numberOf = (value: string | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

const bitsOf: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, mediumint: 24, int: 32, bigint: 64 }

function columnOf(row: Row, { can, documents }: Parts): DatabaseColumn {
  const [, , name, type, fullType, nullable, printedDefault, extra, length, digits, scale, collation] = row
  const dataType = type ?? ''
  const columnType = fullType ?? ''
  const isDocument = documents.has(partKey(row))
  const isUuid = !can.hasUuidType && columnType === UUID_TEXT && collation === UUID_COLLATION
  const baseType = baseTypeOf(dataType, columnType, isDocument, isUuid)
  const isCounter = (extra ?? '').includes('auto_increment')
  // Where nothing is generated some servers say so with nothing, others with an empty text.
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

interface Index {
  readonly name: string
  readonly isUnique: boolean
  readonly columns: string[]
  /** Over whole columns, not their beginnings or expressions. */
  isWhole: boolean
}

function indexesOf(rows: readonly Row[]): Index[] {
  const byName = new Map<string, Index>()
  for (const [, , name, nonUnique, column, part] of rows) {
    const index = byName.get(name ?? '') ?? {
      name: name ?? '',
      isUnique: nonUnique === '0',
      columns: [],
      isWhole: true,
    }
    if (column === null || column === undefined) index.isWhole = false
    else index.columns.push(column)
    if (part !== null && part !== undefined) index.isWhole = false
    byName.set(index.name, index)
  }
  return [...byName.values()]
}

function distinct(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const seen = new Set<string>()
  return sets.filter((set) => seen.size < seen.add(JSON.stringify(set.toSorted())).size)
}

const actions: ReadonlySet<string> = new Set(['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT'])

/** InnoDB treats NO ACTION as RESTRICT and prints what was declared. */
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

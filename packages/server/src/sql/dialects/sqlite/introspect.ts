import type {
  DatabaseColumn,
  DatabaseForeignKey,
  DatabaseSchema,
  DatabaseTable,
  HiddenObject,
  ReferentialAction,
} from '../../database-schema.ts'
import { DatabaseError, type Row, type Statement } from '../../driver.ts'
import { allowsFlagOnly } from '../base/flag-check.ts'
import { indexColumns, type CatalogueIndex } from '../base/index-columns.ts'
import { knownDefaults } from './ddl-types.ts'
import { foreignKeyNames } from './foreign-keys.ts'
import { SCHEMA } from './scope.ts'
import { serviceTableNames } from '../../service/tables.ts'
import { checksOf, generationOf, isInsertTrigger, readTable } from './table-text.ts'
import { TRIGGER } from './triggers.ts'
import { declaredType } from './types.ts'

/** A file with these tables is a store of Core Data, whose timestamps are seconds since 2001. */
const CORE_DATA = ['Z_METADATA', 'Z_PRIMARYKEY']

type Query = (statement: Statement) => Promise<readonly Row[]>

/**
 * Reads the catalogue in a fixed number of queries, without shadow tables of virtual tables and the service's own
 * tables.
 */
export async function introspect(query: Query): Promise<DatabaseSchema> {
  const own = JSON.stringify(serviceTableNames)
  const ask = (text: string) => query({ text, values: [own] })
  const relations = await ask(relationsText)
  const { rows, hidden } = await columnsOf(query, own, relations)
  const columns = groupByFirst(rows)
  const indexes = groupByFirst(await ask(indexesText))
  const keyRows = await ask(foreignKeysText)
  const foreignKeys = groupByFirst(keyRows)
  const ownColumns = await ownTargets(query, own, keyRows)
  const triggers = await query({ text: triggersText, values: [] })
  const triggered = new Set(
    triggers.filter((row) => isInsertTrigger(textAt(row, 1))).map((row) => textAt(row, 0).toLowerCase()),
  )
  const names = new Set(relations.map((row) => textAt(row, 0)))
  const isCoreData = CORE_DATA.every((name) => names.has(name))
  const parts: Parts = {
    columns,
    indexes,
    foreignKeys,
    keys: keysOf([...columns, ...ownColumns]),
    triggered,
    isCoreData,
  }
  const isHidden = new Set(hidden.map(({ table }) => table))

  return {
    defaultSchema: SCHEMA,
    tables: relations.filter((row) => !isHidden.has(textAt(row, 0))).map((row) => tableOf(row, parts)),
    hidden,
  }
}

/** A view over a missing object cannot be described, and would make the query fail for all others. */
async function columnsOf(
  query: Query,
  own: string,
  relations: readonly Row[],
): Promise<{ readonly rows: readonly Row[]; readonly hidden: readonly HiddenObject[] }> {
  try {
    return { rows: await query({ text: columnsText(''), values: [own] }), hidden: [] }
  } catch (error) {
    if (!isBroken(error)) throw error
  }
  const rows = [...(await query({ text: columnsText(`and l.type <> 'view'`), values: [own] }))]
  const hidden: HiddenObject[] = []
  for (const [name, type] of relations) {
    if (type !== 'view') continue
    try {
      rows.push(...(await query({ text: columnsText('and l.name = ?'), values: [own, name ?? ''] })))
    } catch (error) {
      if (!isBroken(error)) throw error
      const reason = 'the view refers to something that does not exist'
      hidden.push({ schema: SCHEMA, table: name ?? '', column: null, reason })
    }
  }
  return { rows, hidden }
}

/** The columns of the service's own tables, if a foreign key may lead to one of them. */
async function ownTargets(
  query: Query,
  own: string,
  keyRows: readonly Row[],
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const names = new Set(JSON.parse(own) as readonly string[])
  const isAsked = keyRows.some((row) => names.has(textAt(row, 2).toLowerCase()))
  return groupByFirst(isAsked ? await query({ text: ownColumnsText, values: [own] }) : [])
}

const isBroken = (error: unknown) =>
  error instanceof DatabaseError && (error.fault === 'broken' || error.fault === 'schema-changed')

const served = `l.schema = 'main' and l.type in ('table', 'view', 'virtual') and l.name not like 'sqlite\\_%' escape '\\'
  and l.name not in (select value from json_each(?))`

const relationsText = `
  select l.name, l.type, l.wr, l.strict, m.sql from pragma_table_list l join sqlite_schema m on m.name = l.name
  and m.type in ('table', 'view') where ${served} order by l.name`

const columnsText = (which: string) => `
  select l.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
  from pragma_table_list l join pragma_table_xinfo(l.name) c
  where ${served} ${which} and c.hidden <> 1 order by l.name, c.cid`

const ownColumnsText = `
  select l.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
  from pragma_table_list l join pragma_table_xinfo(l.name) c
  where l.schema = 'main' and l.type = 'table' and l.name in (select value from json_each(?)) order by l.name, c.cid`

/** Those for writes of other programs change no row. */
const triggersText = `select tbl_name, sql from sqlite_schema where type = 'trigger' and name not glob '${TRIGGER}*'`

// Partial indexes and indexes over expressions say nothing about the columns themselves.
const indexesText = `
  select l.name, i.name, i."unique", i.origin, i.partial, x.name
  from pragma_table_list l join pragma_index_list(l.name) i join pragma_index_xinfo(i.name) x
  where ${served} and l.type = 'table' and x.key order by l.name, i.seq desc, x.seqno`

const foreignKeysText = `
  select l.name, f.id, f."table", f."from", f."to", f.on_update, f.on_delete
  from pragma_table_list l join pragma_foreign_key_list(l.name) f
  where ${served} and l.type = 'table' order by l.name, f.id desc, f.seq`

interface Parts {
  readonly columns: ReadonlyMap<string, readonly Row[]>
  readonly indexes: ReadonlyMap<string, readonly Row[]>
  readonly foreignKeys: ReadonlyMap<string, readonly Row[]>
  /** Columns of primary keys, by the table's name in lower case. */
  readonly keys: ReadonlyMap<string, Named>
  /** Tables with an insert trigger, in lower case. */
  readonly triggered: ReadonlySet<string>
  readonly isCoreData: boolean
}

/** Names are case-insensitive, and a reference may use a different case than the declaration. */
interface Named {
  readonly table: string
  readonly key: readonly string[]
  readonly columns: ReadonlyMap<string, string>
}

const keysOf = (columns: readonly (readonly [string, readonly Row[]])[]): Parts['keys'] =>
  new Map(
    columns.map(([table, rows]) => [
      table.toLowerCase(),
      {
        table,
        key: keyOf(rows),
        columns: new Map(rows.map((row) => [textAt(row, 1).toLowerCase(), textAt(row, 1)])),
      },
    ]),
  )

const keyOf = (rows: readonly Row[]): readonly string[] =>
  rows
    .filter((row) => row[5] !== '0')
    .toSorted((a, b) => Number(a[5]) - Number(b[5]))
    .map((row) => textAt(row, 1))

const none: readonly never[] = Object.freeze([])

function tableOf([name, type, withoutRowid, , text]: Row, parts: Parts): DatabaseTable {
  const table = name ?? ''
  const rows = parts.columns.get(table) ?? none
  const primaryKey = keyOf(rows)
  const isTable = type === 'table'
  const isWritten = (row: Row) => row[6] === '2' || row[6] === '3' || isFlag(row)
  const written = isTable && rows.some(isWritten) ? readTable(text ?? '') : null
  const checks = written === null ? [] : checksOf(written)
  const generation = new Map(
    written?.columns.map(({ name: column, definition }) => [column.toLowerCase(), generationOf(definition)]) ?? [],
  )
  const isCounter = isTable && withoutRowid === '0' && primaryKey.length === 1
  const indexes = indexesOf(parts.indexes.get(table) ?? none)
  const key = { isUnique: true, columns: primaryKey, leading: primaryKey[0] ?? null }
  return {
    schema: SCHEMA,
    name: table,
    kind: type === 'view' ? 'view' : 'table',
    comment: null,
    columns: rows.map((row) => columnOf(row, { isCounter, generation, checks, isCoreData: parts.isCoreData })),
    primaryKey,
    ...indexColumns(primaryKey.length === 0 ? indexes : [key, ...indexes]),
    foreignKeys: foreignKeysOf(table, text ?? '', parts),
    hasInsertTrigger: parts.triggered.has(table.toLowerCase()),
    privileges: { insert: isTable || type === 'virtual', update: isTable, delete: isTable },
  }
}

const isFlag = (row: Row): boolean => declaredType(textAt(row, 2)).baseType === 'bool'

/** What a column takes from its table. */
interface OfTable {
  /** A single integer key counts up. */
  readonly isCounter: boolean
  readonly generation: ReadonlyMap<string, string | null>
  readonly checks: readonly string[]
  readonly isCoreData: boolean
}

function columnOf(row: Row, { isCounter: mayCount, generation, checks, isCoreData }: OfTable): DatabaseColumn {
  const [, name = '', declared, notNull, expression, keyPosition, hidden] = row
  const { name: dataType, baseType, limits } = declaredType(declared ?? '')
  const isKey = keyPosition !== '0'
  // A single integer key is the rowid, which the database counts up.
  const isCounter = mayCount && isKey && dataType === 'integer'
  const isGenerated = hidden === '2' || hidden === '3'
  const isDecimal = baseType === 'numeric' || baseType === 'decimal_text'
  return {
    name: name ?? '',
    dataType,
    castType: dataType,
    baseType,
    enumValues: null,
    elementType: null,
    isComparable: baseType !== 'json',
    isUntyped: baseType === 'unknown',
    ...(baseType === 'timestamp' && isCoreData ? { epoch: 2001 } : {}),
    ...(baseType === 'int' ? { integerBits: 64 } : {}),
    holdsNumbers: baseType === 'bool' && !checks.some((check) => allowsFlagOnly(check, name ?? '')),
    isNullable: notNull === '0' && !isKey,
    defaultExpression: isGenerated ? null : defaultOf(expression ?? null, baseType),
    maxLength: baseType === 'varchar' ? (limits[0] ?? null) : null,
    numericPrecision: isDecimal ? (limits[0] ?? null) : null,
    numericScale: isDecimal && limits[0] !== undefined ? (limits[1] ?? 0) : null,
    generationExpression: isGenerated ? (generation.get((name ?? '').toLowerCase()) ?? '') : null,
    identity: isCounter ? 'by default' : null,
    hasAutoIncrement: isCounter,
    comment: null,
  }
}

/**
 * As the database prints it, except booleans, which it stores as numbers, and bytes, which other databases print as hex
 * text.
 */
function defaultOf(expression: string | null, baseType: string): string | null {
  if (expression === null || /^null$/iu.test(expression)) return null
  if (baseType === 'bool') {
    if (/^(1|true)$/iu.test(expression)) return 'true'
    if (/^(0|false)$/iu.test(expression)) return 'false'
  }
  const bytes = /^x'((?:[0-9a-f]{2})*)'$/iu.exec(expression)
  if (bytes !== null) return `'\\x${(bytes[1] ?? '').toLowerCase()}'`
  return knownDefaults.get(expression) ?? expression
}

function indexesOf(rows: readonly Row[]): CatalogueIndex[] {
  return [...Map.groupBy(rows, (row) => textAt(row, 1)).values()].map((parts) => {
    const [first] = parts
    const names = parts.map((row) => row[5] ?? null)
    const isWhole = first?.[4] === '0' && names.every((name) => name !== null)
    return {
      isUnique: first?.[2] === '1',
      columns: isWhole ? names.map((name) => name ?? '') : null,
      leading: names[0] ?? null,
    }
  })
}

const actions: ReadonlySet<string> = new Set(['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT'])

const actionOf = (text: string | null | undefined): ReferentialAction =>
  actions.has(text ?? '') ? (text as ReferentialAction) : 'NO ACTION'

function foreignKeysOf(table: string, text: string, { foreignKeys, keys }: Parts): DatabaseForeignKey[] {
  if (!foreignKeys.has(table)) return []
  const nameOf = foreignKeyNames(table, text)
  const own = keys.get(table.toLowerCase())
  const byId = Map.groupBy(foreignKeys.get(table) ?? none, (row) => textAt(row, 1))
  return [...byId.values()].flatMap((rows) => {
    const [first] = rows
    const target = keys.get(textAt(first ?? [], 2).toLowerCase())
    if (first === undefined || target === undefined) return []
    const columns = rows.map((row) => own?.columns.get(textAt(row, 3).toLowerCase()) ?? textAt(row, 3))
    // A reference without columns means the primary key.
    const toColumns = rows.map((row, index) =>
      row[4] === null || row[4] === undefined ? target.key[index] : target.columns.get(textAt(row, 4).toLowerCase()),
    )
    if (!toColumns.every((name) => name !== undefined)) return []
    return [
      {
        name: nameOf(columns),
        columns,
        toSchema: SCHEMA,
        toTable: target.table,
        toColumns,
        onUpdate: actionOf(first[5]),
        onDelete: actionOf(first[6]),
      },
    ]
  })
}

const groupByFirst = (rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> =>
  Map.groupBy(rows, (row) => textAt(row, 0))

const textAt = (row: Row, index: number): string => row[index] ?? ''

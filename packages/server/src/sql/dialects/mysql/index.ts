import { MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler } from 'kysely'
import { constant, placeholder } from '../../bind.ts'
import { createCompile } from '../../compile.ts'
import type { Dialect, VersionedColumn, TypedColumn } from '../../dialect.ts'
import { hashOf } from '../../row-hash.ts'
import { sql, table, type Sql } from '../../sql.ts'
import { escapeLike } from '../base/like.ts'
import { createSearch } from '../base/search.ts'
import { savepoint } from '../base/savepoint.ts'
import { createBulk } from './bulk.ts'
import type { Server } from './capabilities.ts'
import { inCharset, narrowCollation } from './charsets.ts'
import { createFingerprint } from './fingerprint.ts'
import { aggregate, aggregateKey, call } from './functions.ts'
import { createLists, jsonObject, jsonRow, window, withMasked } from './json.ts'
import { joinedKey, jsonOfKey, keyFromText } from './keys.ts'
import { jsonOperand, numberOperand, operandOf } from './operands.ts'
import { sortable, test, testJson, textOf } from './operators.ts'
import { payloadValue } from './payload.ts'
import { planEstimate } from './plan-estimate.ts'
import { createIdempotency } from './idempotency.ts'
import { recordChanges } from './service-tables.ts'
import { bytes, createStoredAs, fieldTypeOf } from './types.ts'
import { formOf, forms, sortKeyForm } from './values.ts'
import { cut } from './cut.ts'
import { queryPlan } from './query-plan.ts'

/** Types whose values may be long. */
const long = /(text|blob|json|geometry|point|linestring|polygon|geometrycollection)$/u

/** Long values are hashed in the database instead of being transferred. */
const versionedValue = ({ value, column: { baseType } }: VersionedColumn): Sql =>
  long.test(baseType) ? sql`md5(${value})` : value

const search = createSearch({
  uuid: (left, _, term) => sql`${left} = lower(${term})`,
  number: (left, { type, column }, term) => {
    const float = column.baseType === 'float' ? sql`float` : sql`double`
    return sql`${left} = cast(${term} as ${type === 'float' ? float : sql`decimal(65, 30)`})`
  },
  text: (left, column, parameter) => {
    const bare = placeholder(parameter, (given) => `%${escapeLike(String(given))}%`)
    const narrow = narrowCollation(column.column)
    const pattern = narrow === null ? bare : inCharset(bare, narrow)
    return sql`lower(${textOf(left, column)}) like lower(${pattern})`
  },
})

/** The server returns bits as bytes unless something is added to them. */
const bits = new Set(['bit', 'bool'])

/** A value as text that an operand casts back; bytes as hex. */
function cursorText(expression: Sql, typed: TypedColumn | null): Sql {
  const baseType = typed?.column.baseType ?? ''
  if (bytes.has(baseType)) return sql`hex(${expression})`
  return sql`cast(${bits.has(baseType) ? sql`${expression} + 0` : expression} as char)`
}

/** NULL is this database's smallest value but must sort as the largest. */
function orderBy(expression: Sql, descending: boolean, mayBeNull: boolean): Sql {
  const direction = descending ? sql` desc` : sql``
  return mayBeNull ? sql`${expression} is null${direction}, ${expression}${direction}` : sql`${expression}${direction}`
}

/**
 * Does not take the first row of a sorted list: a sub-select that sorts by another one, and runs again for the next
 * row, returns a value that is not the first.
 */
const firstOf = (value: Sql, rows: Sql, descending: boolean): Sql =>
  descending
    ? sql`(select if(count(*) = count(${value}), max(${value}), null) ${rows})`
    : sql`(select min(${value}) ${rows})`

const transactions: Pick<Dialect, 'savepoint' | 'checkDeferred' | 'waitForReader'> = {
  savepoint,
  checkDeferred: null,
  // Sessions already allow transactions to be idle that long.
  waitForReader: { text: 'do 0', values: [] },
}

/** Index names are unique only within their table, so errors contain both names. */
const indexColumns: Dialect['indexColumns'] = (schema, index) => ({
  text: `select column_name from information_schema.statistics
      where table_schema = ? and table_name = ? and index_name = ? order by seq_in_index`,
  values: [schema, ...(index.includes('\u0000') ? index.split('\u0000') : ['', index])],
})

const estimatedRows: Dialect['estimatedRows'] = (schema, name, exact) =>
  sql`(select coalesce(t.table_rows, ${exact}) from information_schema.tables t
      where t.table_schema = ${constant(schema)} and t.table_name = ${constant(name)})`

const tableEstimates: Dialect['tableEstimates'] = {
  text: `select table_schema, table_name, cast(table_rows as char) from information_schema.tables
      where table_rows is not null and table_type = 'BASE TABLE'
        and table_schema not in ('information_schema', 'performance_schema', 'mysql', 'sys')`,
  values: [],
}

const plans = { planEstimate, queryPlan }

/** A subselect with long texts is a table on disk, whose rows lie where there was room. */
const sorting: Pick<Dialect, 'keepsOrder' | 'orderBy' | 'firstOf'> = { keepsOrder: false, orderBy, firstOf }

export const createDialect = (server: Server): Dialect => ({
  compile: createCompile({
    createAdapter: () => new MysqlAdapter(),
    createIntrospector: (database) => new MysqlIntrospector(database),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  }),
  fieldTypeOf,
  storedAs: createStoredAs(server),
  bulk: createBulk(server),
  recordChanges,
  ...createIdempotency(server),
  ...transactions,
  domainColumns: null,
  indexColumns,
  payloadValue,
  keyValue: payloadValue,
  formOf,
  cut,
  forms,
  operandOf,
  keyOperandOf: operandOf,
  numberOperand,
  jsonOperand,
  test,
  testJson,
  search,
  call,
  aggregate,
  aggregateKey,
  cursor: { text: cursorText, value: (placeholder, { cast }) => cast(placeholder) },
  sortKey: sortable,
  sortKeyForm,
  // A JSON null counts as NULL, like a missing member.
  jsonSortKey: (expression) =>
    server.can.hasJsonType
      ? sql`nullif(cast(${expression} as char), 'null')`
      : sql`nullif(json_compact(${expression}), 'null')`,
  ...sorting,
  window,
  constantText: (value) => constant(value),
  get seesOuterRow() {
    return server.can.seesOuterRow
  },
  jsonRow,
  ...createLists(server),
  jsonObject,
  jsonOfText: (text) => sql`json_quote(${text})`,
  withMasked,
  joinedKey,
  jsonOfJoinedKey: (parts) => sql`json_quote(${joinedKey(parts)})`,
  keyFromText,
  jsonOfKey,
  rowVersion: null,
  rowHash: (columns) => ({ values: columns.map(versionedValue), read: hashOf }),
  estimatedRows,
  ...plans,
  tableEstimates,
  versionTable: (systemSchema) => table(systemSchema, 'service_version'),
  fingerprint: createFingerprint(server),
})

import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { placeholder } from '../../bind.ts'
import { createCompile } from '../../compile.ts'
import type { Dialect, VersionedColumn } from '../../dialect.ts'
import { sql, table, type Sql } from '../../sql.ts'
import { createSearch } from '../base/search.ts'
import { savepoint } from '../base/savepoint.ts'
import { bulk } from './bulk.ts'
import { cursor } from './cursors.ts'
import { CHECK_DEFERRED } from './deferred-keys.ts'
import { fingerprintStatement } from './fingerprint.ts'
import { aggregate, aggregateKey, call } from './functions.ts'
import { jsonObject, jsonRow, jsonRows, jsonValues, window } from './json.ts'
import { joinedKey, jsonOfJoinedKey, jsonOfKey, jsonOfText, keyFromText, keyValue } from './keys.ts'
import { lowerCase } from './letters.ts'
import { jsonOperand, keyOperandOf, numberOperand, operandOf } from './operands.ts'
import { comparableOf, test, testJson, textOf } from './operators.ts'
import { hashOf } from '../../row-hash.ts'
import { payloadValue } from './payload.ts'
import { SCHEMA } from './scope.ts'
import { idempotencyStatements } from '../../service/idempotency.ts'
import { serviceDialect } from './service.ts'
import { recordChanges } from './service-tables.ts'
import { fieldTypeOf, storedAs } from './types.ts'
import { formOf, forms } from './values.ts'
import { cut } from './cut.ts'
import { queryPlan } from './query-plan.ts'

const search = createSearch({
  uuid: (left, _, term) => sql`lower(${left}) = lower(${term})`,
  number: (left, { type }, term) =>
    type === 'decimal' ? sql`tain_number(${left}) = tain_number(${term})` : sql`${left} = cast(${term} as numeric)`,
  text: (left, column, parameter) => {
    const term = placeholder(parameter, (given) => lowerCase(String(given)))
    return sql`instr(tain_lower(${textOf(left, column)}), ${term}) > 0`
  },
})

/** NULL counts as the largest value. */
const orderBy = (expression: Sql, descending: boolean, mayBeNull = true): Sql => {
  if (!mayBeNull) return descending ? sql`${expression} desc` : expression
  return descending ? sql`${expression} desc nulls first` : sql`${expression} nulls last`
}

/** Bytes are hashed in the database: as text they would be twice as long. */
const versionedValue = ({ value, column: { baseType } }: VersionedColumn): Sql =>
  baseType === 'blob' ? sql`tain_sha256(${value})` : value

export const sqlite: Dialect = {
  compile: createCompile({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }),
  fieldTypeOf,
  storedAs,
  bulk,
  recordChanges,
  ...idempotencyStatements(serviceDialect),
  savepoint,
  checkDeferred: { text: CHECK_DEFERRED, values: [] },
  waitForReader: { text: 'select 1', values: [] },
  // The error itself names the columns, see errors.ts.
  domainColumns: null,
  indexColumns: (_, index) => ({ text: 'select value from json_each(?)', values: [index === '' ? '[]' : index] }),
  payloadValue,
  keyValue,
  formOf,
  cut,
  forms,
  operandOf,
  keyOperandOf,
  numberOperand,
  jsonOperand,
  test,
  testJson,
  search,
  call,
  aggregate,
  aggregateKey,
  cursor,
  sortKeyForm: formOf,
  sortKey: (expression, column) => (column === null ? expression : comparableOf(expression, column)),
  jsonSortKey: (expression) => sql`tain_document_key(${expression})`,
  keepsOrder: true,
  orderBy,
  firstOf: (value, rows, descending) =>
    sql`(select ${value} as k ${rows} order by ${orderBy(sql`1`, descending)} limit 1)`,
  window,
  constantText: (value) => sql`${value}`,
  seesOuterRow: true,
  jsonRow,
  jsonRows,
  jsonValues,
  jsonObject,
  jsonOfText,
  withMasked: (document, names, mask) => sql`tain_with_masked(${document}, ${JSON.stringify(names)}, ${mask})`,
  joinedKey,
  jsonOfJoinedKey,
  keyFromText,
  jsonOfKey,
  rowVersion: null,
  rowHash: (columns) => ({ values: columns.map(versionedValue), read: hashOf }),
  estimatedRows: null,
  planEstimate: null,
  queryPlan,
  tableEstimates: null,
  versionTable: () => table(SCHEMA, 'service_version'),
  fingerprint: fingerprintStatement,
}

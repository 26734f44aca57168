import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { constant, placeholder } from '../../bind.ts'
import { createCompile } from '../../compile.ts'
import { databaseRowVersion, type Dialect, type TypedColumn } from '../../dialect.ts'
import { catalogueFunction } from '../../raw.ts'
import { list, sql, table, type Sql } from '../../sql.ts'
import { createAggregate } from '../base/aggregates.ts'
import { escapeLike } from '../base/like.ts'
import { createSearch } from '../base/search.ts'
import { savepoint } from '../base/savepoint.ts'
import { bulk } from './bulk.ts'
import { serverThat, type Server } from './capabilities.ts'
import { createFingerprint } from './fingerprint.ts'
import { call } from './functions.ts'
import { jsonObject, jsonRow, jsonRows, jsonValues, window, withMasked } from './json.ts'
import { joinedKey, jsonOfKey, keyFromText } from './keys.ts'
import { jsonOperand, keyOperandOf, numberOperand, operandOf } from './operands.ts'
import { test, testJson, textOf } from './operators.ts'
import { keyValue, payloadValue } from './payload.ts'
import { planEstimate } from './plan-estimate.ts'
import { idempotencyStatements } from '../../service/idempotency.ts'
import { createServiceDialect } from './service.ts'
import { recordChanges } from './service-tables.ts'
import { fieldTypeOf, storedAs } from './types.ts'
import { formOf, forms } from './values.ts'
import { cut } from './cut.ts'
import { queryPlan } from './query-plan.ts'

const search = createSearch({
  uuid: (left, column, term) => sql`${textOf(left, column)} = lower(${term}::text)`,
  // Floats are compared as decimals: a search for 4.1 must match, although no binary fraction equals it exactly.
  number: (left, { type }, term) => sql`${type === 'float' ? sql`${left}::numeric` : left} = ${term}::numeric`,
  text: (left, column, parameter) => {
    const pattern = placeholder(parameter, (given) => `%${escapeLike(String(given))}%`)
    return sql`lower(${textOf(left, column)}) like lower(${pattern}::text)`
  },
})

/** Extensions need not have aggregates for a type, although its values have an order. */
const extreme = (name: 'min' | 'max', call: Sql, order: Sql) => (values: Sql, column: TypedColumn | null) => {
  const own = column?.column.ownNames
  if (own?.operators === undefined || own.operators === null) return sql`${call}(${values})`
  if (own.aggregates.includes(name)) return sql`${catalogueFunction(own.schema, call)}(${values})`
  return sql`(array_agg(${values} order by ${values}${order}))[1]`
}

const aggregate = createAggregate({
  min: extreme('min', sql`min`, sql``),
  max: extreme('max', sql`max`, sql` desc nulls last`),
})

/** PostgreSQL sorts NULL as the largest value by default. */
const orderBy = (expression: Sql, descending: boolean): Sql => (descending ? sql`${expression} desc` : expression)

const xminOf = (source: string): Sql => sql`${sql.id(source)}.xmin::text`

const indexColumnsText = `
  select a.attname from pg_catalog.pg_class i join pg_catalog.pg_namespace n on n.oid = i.relnamespace
  join pg_catalog.pg_index x on x.indexrelid = i.oid
  join pg_catalog.pg_attribute a on a.attrelid = x.indrelid and a.attnum = any(x.indkey)
  where n.nspname = $1 and i.relname = $2`

const domainColumnsText = `
  select a.attname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0
  join pg_catalog.pg_type t on t.oid = a.atttypid join pg_catalog.pg_namespace d on d.oid = t.typnamespace
  where n.nspname = $1 and c.relname = $2 and d.nspname = $3 and t.typname = $4`

const refusedColumns: Pick<Dialect, 'domainColumns' | 'indexColumns'> = {
  domainColumns: (of, { schema, name }) => ({ text: domainColumnsText, values: [of.schema, of.name, schema, name] }),
  indexColumns: (schema, index) => ({ text: indexColumnsText, values: [schema, index] }),
}

const transactions: Pick<Dialect, 'savepoint' | 'checkDeferred' | 'waitForReader'> = {
  savepoint,
  checkDeferred: { text: 'set constraints all immediate', values: [] },
  waitForReader: {
    text: `select set_config('idle_in_transaction_session_timeout', $1, true)`,
    values: ['120000'],
  },
}

const estimates: Pick<Dialect, 'estimatedRows' | 'planEstimate' | 'tableEstimates'> = {
  estimatedRows: (
    schema,
    name,
    exact,
  ) => sql`(select case when c.reltuples >= 0 then c.reltuples::bigint else ${exact} end
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${constant(schema)}::text and c.relname = ${constant(name)}::text)`,
  planEstimate,
  tableEstimates: {
    text: `select n.nspname, c.relname, c.reltuples::bigint::text
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'm', 'f') and c.reltuples >= 0
        and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'`,
    values: [],
  },
}

export const createDialect = (server: Server): Dialect => ({
  compile: createCompile({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }),
  fieldTypeOf,
  storedAs,
  bulk,
  recordChanges,
  ...idempotencyStatements(createServiceDialect(server)),
  ...transactions,
  ...refusedColumns,
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
  aggregateKey: aggregate,
  cursor: { text: (expression) => sql`${expression}::text`, value: (placeholder, { cast }) => cast(placeholder) },
  sortKey: (expression, column) =>
    column === null || column.column.isComparable ? expression : sql`${expression}::text`,
  sortKeyForm: formOf,
  // The json type has no order; a JSON null counts as NULL, like a missing member.
  jsonSortKey: (expression) => sql`nullif(${expression}::jsonb, 'null'::jsonb)`,
  keepsOrder: true,
  orderBy,
  firstOf: (value, rows, descending) =>
    sql`(select ${value} as k ${rows} order by ${orderBy(sql`1`, descending)} limit 1)`,
  window,
  constantText: (value) => sql`${value}::text`,
  seesOuterRow: true,
  jsonRow,
  jsonRows,
  jsonValues,
  jsonObject,
  jsonOfText: (text) => sql`to_json(${text})`,
  withMasked,
  joinedKey,
  jsonOfJoinedKey: joinedKey,
  keyFromText,
  jsonOfKey,
  get rowVersion() {
    return server.can.rowVersion === 'xmin' ? xminOf : null
  },
  rowHash: (columns) => databaseRowVersion(sql`md5(row(${list(columns.map(({ value }) => value))})::text)`),
  ...estimates,
  queryPlan,
  versionTable: (systemSchema) => table(systemSchema, 'service_version'),
  fingerprint: createFingerprint(server),
})

/** The dialect of PostgreSQL itself. */
export const postgres = createDialect(serverThat())

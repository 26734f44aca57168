import type { AggregateFunction, FieldFunction, FieldType, Operator } from '@tain/contract'
import type { SystemColumnType } from '@tain/contract/collections'
import type { Parameter } from '../lib/parameter.ts'
import type { BulkStatements } from './bulk.ts'
import type { Compile } from './compile.ts'
import type { DatabaseColumn } from './database-schema.ts'
import type { Bind, Row, Statement } from './driver.ts'
import type { IdempotencyStatements } from './service/idempotency-statements.ts'
import type { Sql, Steps } from './sql.ts'
import type { TypedColumn } from './typed-column.ts'

export type { TypedColumn }

/** Column types of the service's own tables. */
export type StoredType = SystemColumnType

/** A declared column's type, as introspection would report it. */
export type StoredAs = (
  type: StoredType,
) => Pick<DatabaseColumn, 'dataType' | 'castType' | 'baseType' | 'isComparable' | 'numericPrecision' | 'numericScale'>

/** How values of one kind are read: as text for our serializer, or as JSON inside a nested object. */
export interface ValueForm {
  /** The expression in a flat select list. */
  readonly text: (expression: Sql) => Sql
  /** The expression whose JSON form appears in the response. */
  readonly json: (expression: Sql) => Sql
  /** Converts text from the driver to JSON text. */
  readonly write: (text: string) => string
}

/** A named member of a JSON object. The name becomes an identifier only if it comes from the catalogue. */
export interface JsonMember {
  readonly name: string
  readonly isCatalogueName: boolean
  readonly value: Sql
}

/** Rows of a nested list: a FROM clause with its conditions and groups, the order, the limit and the offset. */
export interface NestedRows {
  readonly clause: Sql
  readonly order: readonly Sql[]
  /** null for all rows. */
  readonly limit: number | null
  readonly offset: Parameter | null
  /** Duplicate rows are removed. */
  readonly isDistinct?: boolean
}

export interface OperandEncoder {
  readonly encode: (value: unknown) => Bind
  readonly encodeList: (values: readonly unknown[]) => (string | null)[]
  /** Casts the placeholder to the column's type. */
  readonly cast: (placeholder: Sql) => Sql
  readonly castList: (placeholder: Sql) => Sql
}

/** A value that a column cannot store, with the reason. */
export class ValueError extends Error {
  readonly fault: 'invalid' | 'out-of-range' | 'too-long'

  constructor(fault: ValueError['fault'], message: string) {
    super(message)
    this.name = 'ValueError'
    this.fault = fault
  }
}

/** A condition on a column value, or on a function result if there is no column. */
export interface Test {
  readonly left: Sql
  readonly column: TypedColumn | null
  readonly operator: Operator
  readonly parameter: Parameter | null
  readonly operand: OperandEncoder
}

/** A condition on a value inside a JSON document. */
export interface JsonTest {
  readonly left: Sql
  readonly path: Parameter
  readonly operator: Operator
  readonly parameter: Parameter | null
  readonly isNumeric: boolean
}

/** A key column and its expression in a statement. */
export interface KeyPart {
  readonly value: Sql
  readonly column: TypedColumn
}

/** A column and the value of it that the caller can see. */
export interface VersionedColumn {
  readonly value: Sql
  readonly column: DatabaseColumn
}

/** A row version: the values to read, and the version computed from them. */
export interface RowVersion {
  readonly values: readonly Sql[]
  readonly read: (values: readonly (string | null)[]) => string
}

/** A row version that the database computes. */
export const databaseRowVersion = (mark: Sql): RowVersion => ({ values: [mark], read: ([text]) => text ?? '' })

/** What the planner expects of a select. */
export interface PlanEstimate {
  readonly explain: (select: Sql) => Sql
  readonly read: (rows: readonly Row[]) => number
  /** Whether conditions on columns without an index count, too. If not, the estimate may be far too large. */
  readonly knowsValues: boolean
}

/** How the database would run a statement. */
export interface QueryPlan {
  /** Gives the plan and does not run the statement. */
  readonly explain: (statement: Statement) => Statement
  readonly read: (rows: readonly Row[]) => unknown
  /** What the plan costs, in the unit of the database; null if its plans say nothing about that. */
  readonly cost: ((plan: unknown) => number) | null
}

/** Everything that differs between databases. Query plans are built only from these members. */
export interface QualifiedName {
  readonly schema: string
  readonly name: string
}

export interface Dialect extends IdempotencyStatements {
  readonly compile: Compile
  readonly fieldTypeOf: (column: DatabaseColumn) => FieldType
  readonly storedAs: StoredAs
  /** `as` overrides the column's own form: as text, or as a number with all its digits. Secrets have only one form. */
  readonly formOf: (column: TypedColumn, as?: 'text' | 'number' | null) => ValueForm
  /** The form of a column, with at most so many characters of long texts and JSON documents. */
  readonly cut: (form: ValueForm, column: TypedColumn, characters: number) => ValueForm
  /** Forms of values that are not columns: integers, exact text, finished JSON, sort keys of JSON. */
  readonly forms: Readonly<Record<'integer' | 'text' | 'json' | 'jsonKey', ValueForm>>
  readonly operandOf: (column: TypedColumn) => OperandEncoder
  /** For a key, as responses show it or as the database prints it. */
  readonly keyOperandOf: (column: TypedColumn) => OperandEncoder
  readonly numberOperand: OperandEncoder
  readonly jsonOperand: OperandEncoder
  readonly test: (test: Test) => Sql
  readonly testJson: (test: JsonTest) => Sql
  readonly search: (left: Sql, column: TypedColumn, parameter: Parameter) => Sql
  readonly call: (fn: FieldFunction, expression: Sql, column: TypedColumn, path: Parameter | null) => Sql
  /** Aggregates a column, or any countable expression if there is no column. */
  readonly aggregate: (fn: AggregateFunction, expression: Sql, column: TypedColumn | null) => Sql
  /** The same, in a sortable form. */
  readonly aggregateKey: (fn: AggregateFunction, expression: Sql, column: TypedColumn | null) => Sql
  /** Converts a sort value to exact text, and the text back to the value. `column` is null if it is not a column. */
  readonly cursor: {
    readonly text: (expression: Sql, column: TypedColumn | null) => Sql
    readonly value: (placeholder: Sql, operand: OperandEncoder) => Sql
  }
  readonly sortKey: (expression: Sql, column: TypedColumn | null) => Sql
  /** How a sort key is read: as the value that it represents. */
  readonly sortKeyForm: (column: TypedColumn) => ValueForm
  /** A value from a JSON document, in a form that can be sorted, grouped and compared with a jsonOperand. */
  readonly jsonSortKey: (expression: Sql) => Sql
  /** Whether a subselect with an order gives its rows on in this order. */
  readonly keepsOrder: boolean
  /** NULL sorts as the largest value. */
  readonly orderBy: (expression: Sql, descending: boolean, mayBeNull: boolean) => Sql
  /** The first value in this order, as a scalar subquery; `rows` is a FROM clause with its conditions. */
  readonly firstOf: (value: Sql, rows: Sql, descending: boolean) => Sql
  /** The LIMIT and OFFSET clause, with a leading space. A null `limit` means all rows. */
  readonly window: (limit: number | null, offset: Parameter | null) => Sql
  /** A name that is fixed when the statement is compiled, as a bind value. */
  readonly constantText: (value: string) => Sql
  /** A derived table inside a subquery can reference the outer row, so rows can be filtered and limited first. */
  readonly seesOuterRow: boolean
  /** `rows` is a FROM clause with everything after it. Returns one JSON object per row, as a scalar subquery. */
  readonly jsonRow: (members: readonly JsonMember[], rows: Sql) => Sql
  readonly jsonRows: (members: readonly JsonMember[], rows: NestedRows) => Sql
  readonly jsonValues: (value: Sql, rows: NestedRows) => Sql
  readonly jsonObject: (members: readonly JsonMember[]) => Sql
  readonly jsonOfText: (text: Sql) => Sql
  /** A JSON object with these members replaced by the mask, if they exist and are not null. */
  readonly withMasked: (document: Sql, names: readonly string[], mask: string) => Sql
  /** A key of several columns as one text. */
  readonly joinedKey: (parts: readonly KeyPart[]) => Sql
  /** The same, as a value in a JSON array. */
  readonly jsonOfJoinedKey: (parts: readonly KeyPart[]) => Sql
  /** Converts the text of a key to the column's type; NULL if the text is not valid for that type. */
  readonly keyFromText: (text: Sql, column: TypedColumn) => Sql
  readonly jsonOfKey: (text: Sql, column: TypedColumn) => Sql
  /** Changes whenever the stored row does; null if the database keeps no such row version. */
  readonly rowVersion: ((source: string) => Sql) | null
  readonly rowHash: (columns: readonly VersionedColumn[]) => RowVersion
  /** The rows of a table by its statistics, or `exact` if it has none; null if the database keeps no statistics. */
  readonly estimatedRows: ((schema: string, table: string, exact: Sql) => Sql) | null
  /** null if the database makes no estimates. */
  readonly planEstimate: PlanEstimate | null
  readonly queryPlan: QueryPlan
  /** Schema, name and estimated rows of every table with statistics; null if the database keeps none. */
  readonly tableEstimates: Statement | null
  readonly bulk: BulkStatements
  /** Writes activity and revisions. Parameters: the changes as JSON, user, IP address, user agent. */
  readonly recordChanges: (systemSchema: string) => Steps
  readonly savepoint: { readonly make: Statement; readonly back: Statement; readonly release: Statement }
  /** Checks deferred constraints now instead of at commit; null if the database has none. */
  readonly checkDeferred: Statement | null
  /** Raises the idle timeout of the transaction, so that it can wait for a slow client. */
  readonly waitForReader: Statement
  /** Column names of an index, one per row. */
  readonly indexColumns: (schema: string, index: string) => Statement
  /** Column names of a table that have a domain as their type, one per row; null: the database has no domains. */
  readonly domainColumns: ((of: QualifiedName, domain: QualifiedName) => Statement) | null
  /** A payload value as JSON that the database converts to the column's type; throws ValueError. */
  readonly payloadValue: (value: unknown, column: TypedColumn) => string
  /** The same for a part of a key, as responses show it or as the database prints it. */
  readonly keyValue: (text: string, column: TypedColumn) => string
  /** Holds one row with the schema version and the permission version. */
  readonly versionTable: (systemSchema: string) => Sql
  readonly fingerprint: (scope: {
    readonly systemSchema: string
    readonly schemas: readonly string[] | null
  }) => Statement
}

import type { AggregateFunction, FieldFunction, FieldType, Operator } from '@tain/contract'
import type { Parameter } from '../lib/parameter.ts'
import type { BulkStatements } from './bulk.ts'
import type { Compile } from './compile.ts'
import type { DatabaseColumn } from './database-schema.ts'
import type { Bind, Statement } from './driver.ts'
import type { Sql, Steps } from './sql.ts'

/** A column together with the type the service gives it. */
export interface TypedColumn {
  readonly name: string
  readonly type: FieldType
  readonly column: DatabaseColumn
  readonly isConcealed: boolean
}

/** Types that the service's own tables are made of. */
export type StoredType = 'boolean' | 'integer' | 'counter' | 'text' | 'uuid' | 'timestamp' | 'json'

/** A declared column's type, as introspection would have found it. */
export type StoredAs = (
  type: StoredType,
) => Pick<DatabaseColumn, 'dataType' | 'castType' | 'baseType' | 'isComparable' | 'numericPrecision' | 'numericScale'>

/** How values of one kind leave the database: as text for our serializer, or as JSON inside a nested node. */
export interface ValueForm {
  /** The expression a flat select list asks for. */
  readonly text: (expression: Sql) => Sql
  /** The expression whose JSON form is the reply's. */
  readonly json: (expression: Sql) => Sql
  /** Text as the driver hands it over → JSON text. */
  readonly write: (text: string) => string
}

/** A named member of a JSON object; the name is an identifier only when it comes from the catalogue. */
export interface JsonMember {
  readonly name: string
  readonly isCatalogueName: boolean
  readonly value: Sql
}

/** Rows of a nested list: a from clause with its conditions and groups, their order, and which of them are meant. */
export interface NestedRows {
  readonly clause: Sql
  readonly order: readonly Sql[]
  /** null for all. */
  readonly limit: number | null
  readonly offset: Parameter | null
  /** Rows that are alike count once. */
  readonly isDistinct?: boolean
}

export interface OperandEncoder {
  readonly encode: (value: unknown) => Bind
  readonly encodeList: (values: readonly unknown[]) => (string | null)[]
  /** Wraps the placeholder in the column's type. */
  readonly cast: (placeholder: Sql) => Sql
  readonly castList: (placeholder: Sql) => Sql
}

/** A value that a column cannot hold, and why. */
export class ValueError extends Error {
  readonly fault: 'invalid' | 'out-of-range' | 'too-long'

  constructor(fault: ValueError['fault'], message: string) {
    super(message)
    this.name = 'ValueError'
    this.fault = fault
  }
}

/** A condition on a value: of a column, or of a function when there is none. */
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

/** A column of a key, as seen from a statement. */
export interface KeyPart {
  readonly value: Sql
  readonly column: TypedColumn
}

/** A column as far as a caller may see it. */
export interface VersionedColumn {
  readonly value: Sql
  readonly column: DatabaseColumn
}

/** A mark of a row: the values to read for it, and the mark that is made of them. */
export interface RowVersion {
  readonly values: readonly Sql[]
  readonly read: (values: readonly (string | null)[]) => string
}

/** A mark that the database makes. */
export const databaseRowVersion = (mark: Sql): RowVersion => ({ values: [mark], read: ([text]) => text ?? '' })

/** Everything that differs between databases. Plans are made of these words only. */
export interface Dialect {
  readonly compile: Compile
  readonly fieldTypeOf: (column: DatabaseColumn) => FieldType
  readonly storedAs: StoredAs
  /** `as` asks for another form than the column's own: as text, or as a number with all its digits. Secrets have one form. */
  readonly formOf: (column: TypedColumn, as?: 'text' | 'number' | null) => ValueForm
  /** Forms of values that are no columns: whole numbers, exact text, ready JSON, sort keys of JSON. */
  readonly forms: Readonly<Record<'integer' | 'text' | 'json' | 'jsonKey', ValueForm>>
  readonly operandOf: (column: TypedColumn) => OperandEncoder
  /** For a key, in a form that replies show or the database prints. */
  readonly keyOperandOf: (column: TypedColumn) => OperandEncoder
  readonly numberOperand: OperandEncoder
  readonly jsonOperand: OperandEncoder
  readonly test: (test: Test) => Sql
  readonly testJson: (test: JsonTest) => Sql
  readonly search: (left: Sql, column: TypedColumn, parameter: Parameter) => Sql
  readonly call: (fn: FieldFunction, expression: Sql, column: TypedColumn, path: Parameter | null) => Sql
  /** Of values of a column, or of anything that can be counted where there is none. */
  readonly aggregate: (fn: AggregateFunction, expression: Sql, column: TypedColumn | null) => Sql
  /** The same in a form that can be sorted. */
  readonly aggregateKey: (fn: AggregateFunction, expression: Sql, column: TypedColumn | null) => Sql
  /** A sort value as exact text, of a column where there is one, and such a text as the value again. */
  readonly cursor: {
    readonly text: (expression: Sql, column: TypedColumn | null) => Sql
    readonly value: (placeholder: Sql, operand: OperandEncoder) => Sql
  }
  readonly sortKey: (expression: Sql, column: TypedColumn | null) => Sql
  /** How a sort key leaves the database: as the value it is the key of. */
  readonly sortKeyForm: (column: TypedColumn) => ValueForm
  /** A value out of a JSON document, in a form that can be sorted, grouped and compared with a jsonOperand. */
  readonly jsonSortKey: (expression: Sql) => Sql
  /** NULL counts as the largest value. */
  readonly orderBy: (expression: Sql, descending: boolean, mayBeNull: boolean) => Sql
  /** The value that comes first in this order, as a scalar sub-select; `rows` is a from clause with its conditions. */
  readonly firstOf: (value: Sql, rows: Sql, descending: boolean) => Sql
  /** What follows an order and leaves at most `limit` rows, null for all, after those of `offset`. Begins with a space. */
  readonly window: (limit: number | null, offset: Parameter | null) => Sql
  /** A name that is part of the shape, as a bind. */
  readonly constantText: (value: string) => Sql
  /** A table made by a select inside of a sub-select can look at the row around it, so that rows can be cut out first. */
  readonly seesOuterRow: boolean
  /** `rows` is a from clause with everything after it; gives one JSON object per row, as a scalar sub-select. */
  readonly jsonRow: (members: readonly JsonMember[], rows: Sql) => Sql
  readonly jsonRows: (members: readonly JsonMember[], rows: NestedRows) => Sql
  readonly jsonValues: (value: Sql, rows: NestedRows) => Sql
  readonly jsonObject: (members: readonly JsonMember[]) => Sql
  readonly jsonOfText: (text: Sql) => Sql
  /** A JSON object with a text in place of these members, where they are there and not null. */
  readonly withMasked: (document: Sql, names: readonly string[], mask: string) => Sql
  /** Keys of several columns as one text. */
  readonly joinedKey: (parts: readonly KeyPart[]) => Sql
  /** The same as a value of a JSON list. */
  readonly jsonOfJoinedKey: (parts: readonly KeyPart[]) => Sql
  /** Text of a key → the column's type, NULL when the text is no such value. */
  readonly keyFromText: (text: Sql, column: TypedColumn) => Sql
  readonly jsonOfKey: (text: Sql, column: TypedColumn) => Sql
  /** Changes whenever the stored row does; null where rows carry no such mark. */
  readonly rowVersion: ((source: string) => Sql) | null
  readonly rowHash: (columns: readonly VersionedColumn[]) => RowVersion
  readonly estimatedRows: (schema: string, table: string, exact: Sql) => Sql
  /** Holds one row with the version of schema and rights. */
  readonly bulk: BulkStatements
  /** Writes activity and revisions; slots: the changes as JSON, user, address, user agent. */
  readonly recordChanges: (systemSchema: string) => Steps
  /** Idempotency keys: take one (key, caller, request), read who has it, keep the answer (key, caller, status, body, etag). */
  readonly claim: (systemSchema: string) => Steps
  readonly claimed: (systemSchema: string) => Sql
  readonly answered: (systemSchema: string) => Sql
  /** A point inside a transaction to go back to. */
  readonly savepoint: { readonly make: Statement; readonly back: Statement; readonly release: Statement }
  /** Checks the constraints that otherwise wait for the commit; null where the database has none of that kind. */
  readonly checkDeferred: Statement | null
  /** Lets the transaction wait for a slow client longer than transactions usually may be idle. */
  readonly waitForReader: Statement
  /** Names of the columns of an index, one per row. */
  readonly indexColumns: (schema: string, index: string) => Statement
  /** A payload's value as JSON that the database turns into the column's type; throws ValueError. */
  readonly payloadValue: (value: unknown, column: TypedColumn) => string
  /** The same of a part of a key, as replies show it or as the database prints it. */
  readonly keyValue: (text: string, column: TypedColumn) => string
  readonly versionTable: (systemSchema: string) => Sql
  readonly fingerprint: (scope: {
    readonly systemSchema: string
    readonly schemas: readonly string[] | null
    readonly ownTables: readonly string[]
  }) => Statement
}

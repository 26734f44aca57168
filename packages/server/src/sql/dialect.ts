import type { AggregateFunction, FieldFunction, FieldType, Operator } from '@tain/contract'
import type { BulkWords } from './bulk.ts'
import type { Compile } from './compile.ts'
import type { DatabaseColumn } from './database-schema.ts'
import type { Bind, Statement } from './driver.ts'
import type { Sql } from './sql.ts'

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
  readonly slot: number | null
  readonly operand: OperandEncoder
}

/** A condition on a value inside a JSON document. */
export interface JsonTest {
  readonly left: Sql
  readonly path: number
  readonly operator: Operator
  readonly slot: number | null
  readonly isNumeric: boolean
}

/** Everything that differs between databases. Plans are made of these words only. */
export interface Dialect {
  readonly compile: Compile
  readonly fieldTypeOf: (column: DatabaseColumn) => FieldType
  readonly storedAs: StoredAs
  readonly formOf: (column: TypedColumn) => ValueForm
  /** Forms of values that are no columns: whole numbers, exact text, ready JSON. */
  readonly forms: { readonly integer: ValueForm; readonly text: ValueForm; readonly json: ValueForm }
  readonly operandOf: (column: TypedColumn) => OperandEncoder
  readonly numberOperand: OperandEncoder
  readonly jsonOperand: OperandEncoder
  readonly test: (test: Test) => Sql
  readonly testJson: (test: JsonTest) => Sql
  readonly search: (left: Sql, column: TypedColumn, slot: number) => Sql
  readonly call: (fn: FieldFunction, expression: Sql, column: TypedColumn, path: number | null) => Sql
  readonly aggregate: (fn: AggregateFunction, expression: Sql) => Sql
  /** The aggregate's value as exact text. */
  readonly textOf: (expression: Sql) => Sql
  readonly sortKey: (expression: Sql, column: TypedColumn | null) => Sql
  /** A value out of a JSON document, in a form that can be sorted, grouped and compared with a jsonOperand. */
  readonly jsonSortKey: (expression: Sql) => Sql
  readonly orderBy: (expression: Sql, descending: boolean) => Sql
  /** `rows` is a from clause with everything after it; gives one JSON object per row, as a scalar sub-select. */
  readonly jsonRow: (members: readonly JsonMember[], rows: Sql) => Sql
  readonly jsonRows: (members: readonly JsonMember[], rows: Sql) => Sql
  readonly jsonValues: (value: Sql, rows: Sql) => Sql
  readonly jsonObject: (members: readonly JsonMember[]) => Sql
  readonly jsonOfText: (text: Sql) => Sql
  /** Keys of several columns as one text. */
  readonly joinedKey: (parts: readonly Sql[]) => Sql
  /** Text of a key → the column's type, NULL when the text is no such value. */
  readonly keyFromText: (text: Sql, column: TypedColumn) => Sql
  readonly jsonOfKey: (text: Sql, column: TypedColumn) => Sql
  /** Changes whenever the stored row does; null where rows carry no such mark. */
  readonly rowVersion: (source: string) => Sql
  readonly rowHash: (columns: readonly Sql[]) => Sql
  readonly estimatedRows: (schema: string, table: string, exact: Sql) => Sql
  /** Holds one row with the version of schema and rights. */
  readonly bulk: BulkWords
  /** Writes activity and revisions; slots: the changes as JSON, user, address, user agent. */
  readonly recordChanges: (systemSchema: string) => Sql
  /** Idempotency keys: take one (key, caller, request), read who has it, keep the answer (key, caller, status, body, etag). */
  readonly claim: (systemSchema: string) => Sql
  readonly claimed: (systemSchema: string) => Sql
  readonly answered: (systemSchema: string) => Sql
  /** A point inside a transaction to go back to. */
  readonly savepoint: { readonly make: Statement; readonly back: Statement; readonly release: Statement }
  /** Lets the transaction wait for a slow client longer than transactions usually may be idle. */
  readonly waitForReader: Statement
  /** Names of the columns of an index, one per row. */
  readonly indexColumns: (schema: string, index: string) => Statement
  /** A payload's value as JSON that the database turns into the column's type; throws ValueError. */
  readonly payloadValue: (value: unknown, column: TypedColumn) => string
  readonly versionTable: (systemSchema: string) => Sql
  readonly fingerprint: (options: { systemSchema: string; schemas: readonly string[] | null }) => Statement
}

import type { FieldType } from './field-types.ts'

/** Version of the format; raised when an older reader would misunderstand it. */
export const DESCRIPTION_VERSION = 1

/** The schema as one caller may use it, in few words: for agents, and for generated types. */
export interface SchemaDescription {
  readonly version: typeof DESCRIPTION_VERSION
  readonly collections: readonly CollectionDescription[]
}

export interface CollectionDescription {
  readonly name: string
  /** Its name in generated code: `order_lines` is `OrderLines`. */
  readonly type: string
  /** Where its items are: `/items/orders`, `/users`. */
  readonly path: string
  readonly note?: string
  /** The fields of its key, in their order; empty if it has none. */
  readonly key: readonly string[]
  readonly singleton?: true
  /** What the caller may do. */
  readonly may: readonly CollectionVerb[]
  readonly fields: readonly FieldDescription[]
}

export type CollectionVerb = 'read' | 'create' | 'update' | 'delete'

export interface FieldDescription {
  readonly name: string
  /** `alias` for lists of related rows, which have no column. */
  readonly type: FieldType
  readonly note?: string
  /** The only values that the database accepts. */
  readonly values?: readonly string[]
  /** A boolean field that also holds whole numbers other than 0 and 1. */
  readonly numbers?: true
  readonly relation?: RelationDescription
  /**
   * Read where it is named, and not by `*`: found by its foreign key and not declared, or a list of rows with hidden
   * keys.
   */
  readonly inferred?: true
  /** How it is read; left out if the caller may not read it. `nullable`: null in some rows, or hidden in some. */
  readonly read?: 'value' | 'nullable'
  /** Whether payloads of new rows need it; left out if they may not contain it. */
  readonly create?: 'required' | 'optional'
  /** Payloads of updates may contain it. */
  readonly update?: true
  /** Payloads may set it to null. */
  readonly clearable?: true
}

export interface RelationDescription {
  /** One row, a list of rows, or one row of one of several collections. */
  readonly kind: 'one' | 'many' | 'any'
  /** The collections that the caller may reach; empty: only the key can be read. */
  readonly to: readonly string[]
  /** The field that names the collection of a row, for `any`. */
  readonly collection?: string
}

/** A collection `orders` has the types `Orders`, `OrdersCreate` and so on, in generated code and in OpenAPI. */
export const typeSuffixes = ['Create', 'Update', 'Change', 'Filter', 'List', 'Created'] as const

/** Types that generated files have in any case, or use. */
export const reservedTypeNames = [
  'AnyConditions',
  'Base64',
  'BigInteger',
  'BigIntegerFilter',
  'BinaryFilter',
  'BooleanFilter',
  'Conditions',
  'DateFilter',
  'DateFunctions',
  'DateOnly',
  'DateTime',
  'DateTimeFilter',
  'DateTimeFunctions',
  'Decimal',
  'DecimalFilter',
  'FlagConditions',
  'FloatFilter',
  'Functions',
  'Geometry',
  'GeometryConditions',
  'GeometryFilter',
  'HashFilter',
  'IntegerFilter',
  'Json',
  'JsonConditions',
  'JsonFilter',
  'JsonFunctions',
  'JsonPaths',
  'JsonScalar',
  'JsonValueConditions',
  'KeyConditions',
  'ListFunctions',
  'NestedRow',
  'NestedRows',
  'OrderedConditions',
  'Partial',
  'PresenceFilter',
  'Quantified',
  'Schema',
  'SecretConditions',
  'StringFilter',
  'TextConditions',
  'Time',
  'TimeFilter',
  'TimeFunctions',
  'Timestamp',
  'TimestampFilter',
  'TimestampFunctions',
  'UnknownFilter',
  'Uuid',
  'UuidFilter',
] as const

import type { Recordset } from '../../bulk.ts'
import type { TypedColumn } from '../../dialect.ts'
import { catalogueType } from '../../raw.ts'
import { column, list, sql, type Sql } from '../../sql.ts'
import { cellName, jsonBind } from '../base/bulk.ts'
import { collated, collationIn, inCharset, narrowCollation } from './charsets.ts'
import { bytes } from './types.ts'

/**
 * Types of the columns of a JSON_TABLE. It silently changes values that do not fit. So texts get room for one character
 * more than their column, and all other values are checked before.
 */
function tableType(baseType: string, maxLength: number | null, castType: string): Sql {
  if (baseType.endsWith('unsigned') || baseType === 'bit' || baseType === 'year') return sql`bigint unsigned`
  if (/^(bool|tinyint|smallint|mediumint|int|bigint)$/u.test(baseType)) return sql`bigint`
  switch (baseType) {
    case 'decimal':
      return catalogueType(castType)
    case 'float':
      return sql`float`
    case 'double':
      return sql`double`
    case 'date':
      return sql`date`
    case 'datetime':
    case 'timestamp':
      return sql`datetime(6)`
    case 'time':
      return sql`time(6)`
    case 'json':
      return sql`json`
    case 'uuid':
      return collated(sql`char(36)`, collationIn(castType))
    default:
      return textType(maxLength, narrowCollation({ baseType, castType }) === null ? collationIn(castType) : null)
  }
}

const MAX_VARCHAR = 8000

function textType(maxLength: number | null, collation: string | null): Sql {
  const type = maxLength !== null && maxLength < MAX_VARCHAR ? sql`varchar(${sql.lit(maxLength + 1)})` : sql`longtext`
  return collated(type, collation)
}

/** The type of list values that are compared with a column. */
export const listType = (baseType: string, collation: string | null): Sql =>
  baseType === 'decimal'
    ? sql`decimal(65, 30)`
    : bytes.has(baseType)
      ? sql`longtext`
      : tableType(baseType, null, collation === null ? '' : ` collate ${collation}`)

const typeOf = ({ column: { baseType, maxLength, castType, enumValues } }: TypedColumn): Sql =>
  bytes.has(baseType) ? sql`longtext` : tableType(baseType, enumValues === null ? maxLength : null, castType)

/** Rows that are sent as one JSON bind, as a table: `f0, f1, …`, and `n`, the row's position. */
export function rowsOf({ columns, parameter }: Recordset, alias: string): Sql {
  return jsonTable(jsonBind(parameter), columns, alias)
}

export function jsonTable(source: Sql, columns: readonly TypedColumn[], alias: string): Sql {
  const cells = columns.map(
    (stored, index) => sql`${sql.id(cellName(index))} ${typeOf(stored)} path ${sql.lit(`$.${cellName(index)}`)}`,
  )
  return sql`json_table(${source}, '$[*]' columns (${list([sql`n for ordinality`, ...cells])})) as ${sql.id(alias)}`
}

/** A value of the set as its column stores it. */
export function cell(alias: string, { column: { baseType } }: TypedColumn, index: number): Sql {
  const value = column(alias, cellName(index))
  if (bytes.has(baseType)) return sql`unhex(substr(${value}, 3))`
  // A JSON null is stored as NULL, not as a document.
  if (baseType === 'json') return sql`nullif(cast(${value} as char), 'null')`
  if (/^(geometry|point|linestring|polygon|multi)/u.test(baseType)) return sql`st_geomfromgeojson(${value})`
  return value
}

/** A value of the set in the form that is compared with its column. */
export function keyCell(alias: string, typed: TypedColumn, index: number): Sql {
  const value = cell(alias, typed, index)
  const collation = narrowCollation(typed.column)
  return collation === null ? value : inCharset(value, collation)
}

/** A key value as text that a set accepts; bytes as the driver reads them. */
export const keyText = (value: Sql, { column: { baseType } }: TypedColumn): Sql =>
  bytes.has(baseType)
    ? sql`concat('\\\\x', lower(hex(${value})))`
    : baseType === 'bit'
      ? sql`cast(${value} + 0 as char)`
      : sql`cast(${value} as char)`

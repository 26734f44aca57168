import type { TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { boolean, document, formOf, storedInteger } from './values.ts'

/** The form of values in a revision: as the database stores them, numbers as numbers, documents as documents. */
export function snapshotForm(typed: TypedColumn): (expression: Sql) => Sql {
  const { column } = typed
  switch (column.baseType) {
    case 'int':
    case 'int8':
      return storedInteger.json
    case 'real':
      return (expression) => sql`tain_float(${expression})`
    case 'numeric':
    case 'decimal_text': {
      const scale = column.numericScale
      return (expression) =>
        scale === null
          ? sql`tain_float(tain_decimal(${expression}))`
          : sql`tain_float(tain_decimal(${expression}, ${sql.lit(scale)}))`
    }
    case 'bool':
      return boolean.json
    case 'json':
      return document.json
    case 'timestamp':
    case 'datetime':
    case 'time':
      return formOf(typed).json
    case 'blob':
      return (expression) => sql`json_quote('\\x' || lower(hex(${expression})))`
    default:
      return (expression) => sql`json_quote(tain_text(${expression}))`
  }
}

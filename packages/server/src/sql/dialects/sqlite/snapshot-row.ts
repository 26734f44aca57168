import type { TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'

/** How values stand in a revision: as the database holds them, numbers as numbers, documents as documents. */
export function snapshotForm({ column }: TypedColumn): (expression: Sql) => Sql {
  switch (column.baseType) {
    case 'int':
    case 'int8':
      return (expression) => expression
    case 'real':
      return (expression) => sql`tain_float(${expression})`
    case 'numeric':
    case 'decimal_text': {
      const scale = column.numericScale
      return (expression) =>
        scale === null ? sql`tain_decimal(${expression})` : sql`tain_decimal(${expression}, ${sql.lit(scale)})`
    }
    case 'bool':
      return (expression) => sql`case when ${expression} then 'true' when not ${expression} then 'false' end`
    case 'json':
      return (expression) =>
        sql`case when json_valid(${expression}) then ${expression} else json_quote(${expression}) end`
    case 'timestamp':
      return (expression) => sql`json_quote(tain_iso_moment(${expression}))`
    case 'datetime':
      return (expression) => sql`json_quote(tain_iso_datetime(${expression}))`
    case 'blob':
      return (expression) => sql`json_quote('\\x' || lower(hex(${expression})))`
    default:
      return (expression) => sql`json_quote(tain_text(${expression}))`
  }
}

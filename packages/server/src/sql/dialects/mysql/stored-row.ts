import type { TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { jsonObject } from './json.ts'
import { bytes } from './types.ts'

const numbers = /^(tinyint|smallint|mediumint|int|bigint|float|double|decimal|year|bit)( unsigned)?$/u

/** A stored value as JSON, as revisions keep it: numbers as numbers, moments as the server spells them. */
function storedValue(value: Sql, { column: { baseType } }: TypedColumn): Sql {
  if (baseType === 'bool') return sql`if(${value} is null, null, if(${value}, 'true', 'false'))`
  if (baseType === 'bit') return sql`(${value} + 0)`
  if (numbers.test(baseType) || baseType === 'json') return value
  if (bytes.has(baseType)) return sql`concat('"\\\\\\\\x', lower(hex(${value})), '"')`
  if (baseType === 'timestamp')
    return sql`concat('"', date_format(${value}, '%Y-%m-%dT%H:%i:%s'), if(microsecond(${value}) = 0, '', trim(trailing '0' from date_format(${value}, '.%f'))), '+00:00"')`
  if (baseType === 'datetime')
    return sql`concat('"', date_format(${value}, '%Y-%m-%dT%H:%i:%s'), if(microsecond(${value}) = 0, '', trim(trailing '0' from date_format(${value}, '.%f'))), '"')`
  if (/^(geometry|point|linestring|polygon|multi)/u.test(baseType)) return sql`st_asgeojson(${value})`
  return sql`json_quote(cast(${value} as char))`
}

export const storedRow = (columns: readonly TypedColumn[], valueOf: (name: string) => Sql): Sql =>
  jsonObject(
    columns.map((stored) => ({
      name: stored.name,
      isCatalogueName: true,
      value: storedValue(valueOf(stored.name), stored),
    })),
  )

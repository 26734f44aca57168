import type { TypedColumn } from '../../dialect.ts'
import { sql, type Sql } from '../../sql.ts'
import { jsonObject } from './json.ts'
import { bytes, hasZeroDate, printsPadded } from './types.ts'
import { documentForm, plainNumber, timeText } from './values.ts'

const numbers = /^(tinyint|smallint|mediumint|int|bigint|float|double|decimal|year|bit)( unsigned)?$/u

/** A stored value as JSON, as revisions store it: numbers as numbers, times as responses show them. */
function storedValue(stored: Sql, { column }: TypedColumn): Sql {
  const { baseType } = column
  const value = hasZeroDate(column) ? sql`nullif(${stored}, 0)` : stored
  if (baseType === 'bool') return sql`if(${value} is null, null, if(${value}, 'true', 'false'))`
  if (printsPadded(column)) return plainNumber(value, column)
  if (baseType === 'json') return documentForm(column).json(value)
  if (numbers.test(baseType)) return value
  if (bytes.has(baseType)) return sql`concat('"\\\\\\\\x', lower(hex(${value})), '"')`
  const time = timeText(value, baseType)
  if (time !== null) return sql`concat('"', ${time}, '"')`
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

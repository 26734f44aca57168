import { constant } from '../../bind.ts'
import type { Dialect, TypedColumn } from '../../dialect.ts'
import type { Ask, ColumnStatistics, Distribution, Knot, SampledTable } from '../../distribution.ts'
import { DatabaseError } from '../../driver.ts'
import { sql, type Sql } from '../../sql.ts'
import {
  bytePlaces,
  commonPrefix,
  decimalPlaces,
  integerPlaces,
  numberPlaces,
  textPlaces,
  uuidPlaces,
  type PlacesOf,
} from '../base/key-places.ts'
import { probedKeys, probesBy, type ProbedColumn } from '../base/key-probes.ts'
import { collationIn } from './charsets.ts'
import { bytes } from './types.ts'

const integers = /^(bool|tinyint|smallint|mediumint|int|bigint)( unsigned)?$/u
const texts = /^(char|varchar|tinytext|text|mediumtext|longtext)$/u

/** Versions of UUIDs whose parts the server stores in reverse order, so that it also sorts them so. */
const isReversed = (text: string) => /^[1-5]$/u.test(text.charAt(14))

/** The last part of a UUID comes first. */
const reversedUuidPlaces: PlacesOf = {
  bits: 48n,
  placeOf: (text) => BigInt(`0x${text.slice(24)}`),
  textAt: (place) => `00000000-0000-4000-8000-${place.toString(16).padStart(12, '0')}`,
}

function placesOf({ column }: TypedColumn): ProbedColumn['placesFrom'] | null {
  const { baseType, castType, numericPrecision, numericScale, enumValues } = column
  if (enumValues !== null) return null
  if (integers.test(baseType))
    return () => (baseType.endsWith('unsigned') ? numberPlaces(0n, 2n ** 64n - 1n) : integerPlaces(64n))
  if (baseType === 'decimal') return () => decimalPlaces(numericPrecision, numericScale)
  if (bytes.has(baseType)) return () => bytePlaces
  if (baseType === 'uuid' && castType === 'uuid')
    return (first) => (isReversed(first) ? reversedUuidPlaces : uuidPlaces)
  if (!texts.test(baseType) && baseType !== 'uuid') return null
  const isByCode = collationIn(castType)?.endsWith('_bin') ?? false
  return (first, last) => textPlaces(commonPrefix(first, last), isByCode)
}

const statistics = (
  schema: string,
  table: string,
  name: string,
): Sql => sql`select s.hist_type, decode_histogram(s.hist_type, s.histogram),
    convert(s.min_value using utf8mb4), convert(s.max_value using utf8mb4),
    s.nulls_ratio, coalesce(t.cardinality, i.table_rows)
  from mysql.column_stats s
  left join mysql.table_stats t on t.db_name = s.db_name and t.table_name = s.table_name
  left join information_schema.tables i on i.table_schema = s.db_name and i.table_name = s.table_name
  where s.db_name = ${constant(schema)} and s.table_name = ${constant(table)} and s.column_name = ${constant(name)}`

/** What ANALYZE TABLE … PERSISTENT has stored; the tables belong to the server, so a role may not be able to read them. */
async function statisticsOf(
  { schema, table }: SampledTable,
  stored: TypedColumn,
  ask: Ask,
): Promise<ColumnStatistics | null> {
  const rows = await ask(statistics(schema, table, stored.name)).catch((error: unknown) => {
    if (error instanceof DatabaseError && (error.fault === 'permission' || error.fault === 'schema-changed')) return []
    throw error
  })
  const [kind, histogram, least, most, nulls, count] = rows[0] ?? []
  if (typeof histogram !== 'string' || typeof count !== 'string') return null
  const held = 1 - Number(nulls ?? 0)
  const knots =
    kind === 'JSON_HB'
      ? knotsInJson(histogram, held)
      : isNumber(stored)
        ? knotsBetween(histogram, Number(least), Number(most), held, stored)
        : []
  return knots.length === 0 ? null : { knots, rows: Number(count) }
}

const isNumber = ({ column: { baseType } }: TypedColumn) => integers.test(baseType) || baseType === 'decimal'

function knotsInJson(text: string, held: number): Knot[] {
  const { histogram_hb: parts } = JSON.parse(text) as {
    histogram_hb?: readonly { readonly start: string; readonly size: number; readonly ndv: number }[]
  }
  let below = 0
  return (parts ?? []).map(({ start, size, ndv }) => {
    const knot = { text: start, below, equal: ndv === 1 ? size * held : 0 }
    below += size * held
    return knot
  })
}

/** Parts with equally many rows; each is given by the share of the distance from the least value to the largest. */
function knotsBetween(text: string, least: number, most: number, held: number, { column }: TypedColumn): Knot[] {
  const widths = text.split(',').map(Number)
  let distance = 0
  return widths.map((width, index) => {
    const value = least + (most - least) * distance
    distance += width
    return {
      text: value.toFixed(column.baseType === 'decimal' ? (column.numericScale ?? 0) : 0),
      below: (index / widths.length) * held,
      equal: 0,
    }
  })
}

export const createDistribution = (dialect: Dialect): Distribution => ({
  statisticsOf,
  ...probesBy(probedKeys(dialect, placesOf)),
})

import { constant } from '../../bind.ts'
import type { TypedColumn } from '../../dialect.ts'
import type { Ask, ColumnStatistics, Distribution, Knot, SampledTable } from '../../distribution.ts'
import type { Row } from '../../driver.ts'
import { catalogueType } from '../../raw.ts'
import { column, list, sql, table as tableNamed, type Sql } from '../../sql.ts'
import { commonPrefix, decimalPlaces, integerPlaces, textPlaces, uuidPlaces } from '../base/key-places.ts'
import { probedKeys, probesBy, type ProbedColumn } from '../base/key-probes.ts'
import { postgres } from './index.ts'

const BLOCKS = 512
const ROWS_OF_BLOCK = 8
/** A block has room for about so many short rows. */
const MOST_ROWS = 226

const keyOf = ({ key }: SampledTable): Sql => list(key.map(({ name }) => column('t', name)))

const oidOf = ({ schema, table }: SampledTable): Sql =>
  sql`format('%I.%I', ${constant(schema)}::text, ${constant(table)}::text)::regclass`

/**
 * Some rows of blocks at equal distances: rows that were written one after another are sampled evenly. Without
 * statistics it is not known where in a block rows end, so that fewer are found.
 */
const sampleOfBlocks = (table: SampledTable): Sql => sql`
  with size as (
    select pg_relation_size(oid) / current_setting('block_size')::bigint as blocks, reltuples > 0 and relpages > 0 as is_known,
      case when reltuples > 0 and relpages > 0 then reltuples / relpages else ${sql.lit(MOST_ROWS)} end as held
    from pg_catalog.pg_class where oid = ${oidOf(table)}
  ), places as materialized (
    select array_agg(distinct format('(%s,%s)', floor((b + 0.5) * s.blocks / ${sql.lit(BLOCKS)}),
      1 + floor((r + 0.5) * s.held / ${sql.lit(ROWS_OF_BLOCK)}))::tid) as tids
    from size s, generate_series(0, ${sql.lit(BLOCKS - 1)}) b, generate_series(0, ${sql.lit(ROWS_OF_BLOCK - 1)}) r
  )
  select (select (s.blocks * s.held)::text from size s where s.is_known),
    (select (s.blocks * s.held / cardinality(p.tids))::text from size s, places p), ${keyOf(table)}
  from ${tableNamed(table.schema, table.table)} as t
  where t.ctid = any((select tids from places)::tid[])`

/** Whole blocks, of which every nth row is kept: the partitions of a table have blocks of their own. */
const sampleOfPartitions = (table: SampledTable): Sql => {
  const size = sql`(select greatest(sum(pg_relation_size(p.relid)) / current_setting('block_size')::bigint, 1)
    from pg_partition_tree(${oidOf(table)}) p where p.isleaf)`
  return sql`select s.total, null, ${list(table.key.map((_, index) => sql.id('s', `k${index}`)))} from (
    select (count(*) over () * greatest(${size} / ${sql.lit(BLOCKS)}, 1))::bigint::text as total,
      row_number() over () as n, count(*) over () as c,
      ${list(table.key.map(({ name }, index) => sql`${column('t', name)} as ${sql.id(`k${index}`)}`))}
    from ${tableNamed(table.schema, table.table)} as t
      tablesample system (least(100, 100.0 * ${sql.lit(BLOCKS)} / ${size})) repeatable (1)
  ) s where s.n % greatest(s.c / ${sql.lit(BLOCKS * ROWS_OF_BLOCK)}, 1) = 0`
}

const samples: Partial<Record<SampledTable['kind'], (table: SampledTable) => Sql>> = {
  table: sampleOfBlocks,
  'materialized-view': sampleOfBlocks,
  partitioned: sampleOfPartitions,
}

/** The values are compared with the column's own collation, which the empty select brings into the union. */
const knownValues = ({ schema, table }: SampledTable, { name, column: { castType } }: TypedColumn): Sql => {
  const values = (array: Sql) => sql`${array}::text::${catalogueType(castType)}[]`
  return sql`
    with stats as (
      select * from pg_catalog.pg_stats
      where schemaname = ${constant(schema)}::text and tablename = ${constant(table)}::text
        and attname = ${constant(name)}::text
      order by inherited desc limit 1
    ), known as (
      select ${column('t', name)} as v, null::real as f from ${tableNamed(schema, table)} as t where false
      union all select v, null from stats, unnest(${values(sql`histogram_bounds`)}) as v
      union all select v, f from stats, unnest(${values(sql`most_common_vals`)}, most_common_freqs) as m(v, f)
    )
    select known.v::text, known.f::text, stats.null_frac::text, c.reltuples::bigint::text
    from known, stats, pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${constant(schema)}::text and c.relname = ${constant(table)}::text
    order by known.v`
}

/** Common values have a share of their own. The others lie between bounds, with equally many in each interval. */
function knotsOf(rows: readonly Row[]): ColumnStatistics | null {
  const [, , nulls, count] = rows[0] ?? []
  if (typeof count !== 'string' || Number(count) <= 0) return null
  const bounds = rows.filter(([, share]) => share === null).length
  const common = rows.reduce((sum, [, share]) => sum + Number(share ?? 0), 0)
  const interval = bounds > 1 ? Math.max(0, 1 - Number(nulls) - common) / (bounds - 1) : 0
  let passed = 0
  let below = 0
  const knots = rows.map(([text, share]): Knot => {
    const isBound = share === null
    // A common value between two bounds has half of their interval below it.
    const inside = passed === 0 || isBound || passed === bounds ? 0 : interval / 2
    if (isBound) passed += 1
    const knot = {
      text: text ?? '',
      below: below + interval * Math.max(0, passed - 1) + inside,
      equal: Number(share ?? 0),
    }
    below += Number(share ?? 0)
    return knot
  })
  return { knots, rows: Number(count) }
}

function placesOf({
  column: { baseType, numericPrecision, numericScale },
}: TypedColumn): ProbedColumn['placesFrom'] | null {
  switch (baseType) {
    case 'int2':
      return () => integerPlaces(16n)
    case 'int4':
      return () => integerPlaces(32n)
    case 'int8':
      return () => integerPlaces(64n)
    case 'numeric':
      return () => decimalPlaces(numericPrecision, numericScale)
    case 'uuid':
      return () => uuidPlaces
    case 'text':
    case 'varchar':
    case 'bpchar':
      return (first, last) => textPlaces(commonPrefix(first, last), false)
    default:
      return null
  }
}

export const distribution: Distribution = {
  statisticsOf: async (table, stored, ask: Ask) => {
    if (!stored.column.isComparable) return null
    const rows = await ask(knownValues(table, stored))
    return rows.length === 0 ? null : knotsOf(rows)
  },
  sampleOf: async (table, ask) => {
    const sample = table.key.length === 0 ? undefined : samples[table.kind]
    if (sample === undefined) return null
    const rows = await ask(sample(table))
    return rows.map(([total = null, each = null, ...key]) => ({
      key,
      weight: total === null ? Number(each) : Number(total) / rows.length,
    }))
  },
  sampleWithin: probesBy(probedKeys(postgres, placesOf)).sampleWithin,
}

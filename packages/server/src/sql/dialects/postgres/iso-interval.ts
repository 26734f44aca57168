import { sql, type Sql } from '../../sql.ts'

const part = (value: Sql, unit: Sql): Sql => sql`case when ${value} <> 0 then ${value} || ${unit} else '' end`

/**
 * An interval as ISO 8601, as PostgreSQL prints it with `IntervalStyle = iso_8601`. Poolers do not keep that setting:
 * PgBouncer before 1.20 leaves it on whichever server connection it was sent to.
 */
export function isoInterval(value: Sql): Sql {
  const date = [
    part(sql`extract(year from ${value})`, sql`'Y'`),
    part(sql`extract(month from ${value})`, sql`'M'`),
    part(sql`extract(day from ${value})`, sql`'D'`),
  ] as const
  const time = [
    part(sql`extract(hour from ${value})`, sql`'H'`),
    part(sql`extract(minute from ${value})`, sql`'M'`),
    part(sql`trim_scale(extract(second from ${value})::numeric)`, sql`'S'`),
  ] as const
  const clock = sql`replace('T' || ${time[0]} || ${time[1]} || ${time[2]} || '|', 'T|', '|')`
  const whole = sql`rtrim('P' || ${date[0]} || ${date[1]} || ${date[2]} || ${clock}, '|')`
  return sql`case when isfinite(${value}) then coalesce(nullif(${whole}, 'P'), 'PT0S') else ${value}::text end`
}

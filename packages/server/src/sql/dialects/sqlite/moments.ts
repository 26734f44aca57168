import type { DatabaseColumn } from '../../database-schema.ts'
import { sql, type Sql } from '../../sql.ts'

type Counted = Pick<DatabaseColumn, 'epoch'>

const epochOf = ({ epoch }: Counted): Sql => (epoch === undefined ? sql`` : sql`, ${sql.lit(epoch)}`)

/** A timestamp in the form in which all of them are compared. */
export const moment = (value: Sql, column: Counted): Sql => sql`tain_moment(${value}${epochOf(column)})`

/** A timestamp as responses show it. */
export const shownMoment = (value: Sql, column: Counted): Sql => sql`tain_shown_moment(${value}${epochOf(column)})`

/** A part of a date or a time. */
export const partOf = (name: string, value: Sql, column: Counted): Sql =>
  sql`tain_part(${sql.lit(name)}, ${value}${epochOf(column)})`

/** A timestamp of a payload in the form that the column stores. */
export const storedMoment = (value: Sql, { epoch }: Counted): Sql =>
  epoch === undefined ? value : sql`tain_seconds_since_2001(${value})`

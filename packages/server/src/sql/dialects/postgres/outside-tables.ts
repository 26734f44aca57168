import { statementOf } from '../../database.ts'
import type { Dialect } from '../../dialect.ts'
import type { Driver, Row, Statement } from '../../driver.ts'
import type { HeardTable, LogicalSource, LogOptions, Unheard } from '../../outside.ts'
import { list, sql, table, type Sql } from '../../sql.ts'
import { outboxPublication } from './outside-reader.ts'

const OUTBOX = 'service_outbox'

/** Tables of the user's schemas with what identifies their rows in the log. */
const TABLES = `select n.nspname, c.relname, c.relpersistence, c.relreplident::text,
    pg_has_role(c.relowner, 'usage'),
    coalesce((select json_agg(a.attname) from pg_catalog.pg_index i
      join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid and (c.relreplident = 'd' and i.indisprimary or c.relreplident = 'i' and i.indisreplident)), '[]')
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'`

const PUBLISHED: Statement = {
  text: `select pubname, schemaname, tablename from pg_catalog.pg_publication_tables where pubname = any($1)`,
  values: [],
}

const PUBLICATIONS: Statement = {
  text: `select pubname from pg_catalog.pg_publication where pubname = any($1)`,
  values: [],
}

/** Quoted, so that a dot in a name does no harm. */
export const tableName = (schema: string, name: string): string => JSON.stringify([schema, name])

/** Why the changes of a table cannot be heard; null: they can. */
function hindrance({ key }: HeardTable, found: Row | undefined): string | null {
  if (found === undefined) return 'the table is not there any more'
  const [, , persistence, identity, , columns] = found
  if (persistence !== 'p') return 'the table is not logged'
  if (identity === 'f') return null
  const identified = new Set(JSON.parse(columns ?? '[]') as string[])
  // A publication of such a table would refuse its updates and deletions, those of other programs too.
  return key.every((name) => identified.has(name)) && identified.size > 0
    ? null
    : 'its replica identity does not include the key'
}

/** Tables that inherit from one of them are added by themselves, or not at all: they may have no replica identity. */
const adds = (publication: string, tables: readonly HeardTable[]): Sql =>
  sql`alter publication ${sql.id(publication)} add table ${list(tables.map(({ schema, name }) => sql`only ${table(schema, name)}`))}`

export const createOutboxPublication = ({ slot, systemSchema }: LogOptions): Sql =>
  sql`create publication ${sql.id(outboxPublication(slot))} for table ${table(systemSchema, OUTBOX)} with (publish = 'insert')`

export const createPublication = ({ slot }: LogOptions): Sql =>
  sql`create publication ${sql.id(slot)} with (publish_via_partition_root = true)`

/** Keeps the publication as the mirror is: its tables, and the outbox, which tells the writes of the service. */
export function includeTables(driver: Driver, dialect: Dialect): LogicalSource['include'] {
  const run = (statement: Sql) => driver.execute(statementOf(statement, dialect))
  const textOf = (statement: Sql) => statementOf(statement, dialect).text

  return async (tables, known, options) => {
    const { slot } = options
    const names = [slot, outboxPublication(slot)]
    const there = new Set((await driver.query({ ...PUBLICATIONS, values: [names] })).map(([name]) => name))
    if (!there.has(outboxPublication(slot))) await run(createOutboxPublication(options))
    if (!there.has(slot)) await run(createPublication(options))
    const published = new Set(
      (await driver.query({ ...PUBLISHED, values: [names] })).map(([, schema, name]) =>
        tableName(schema ?? '', name ?? ''),
      ),
    )
    const facts = new Map(
      (await driver.query({ text: TABLES, values: [] })).map((row) => [tableName(row[0] ?? '', row[1] ?? ''), row]),
    )
    const removed = [...known].some((name) => facts.has(name) && !published.has(name))
    const unheard: Unheard[] = []
    const wanted: HeardTable[] = []
    for (const each of tables) {
      const name = tableName(each.schema, each.name)
      if (published.has(name)) continue
      const shown = `${each.schema}.${each.name}`
      const reason = hindrance(each, facts.get(name))
      if (reason !== null) unheard.push({ table: shown, reason, statement: null })
      else if (facts.get(name)?.[4] === 't') wanted.push(each)
      else unheard.push({ table: shown, reason: 'the role does not own it', statement: textOf(adds(slot, [each])) })
    }
    if (wanted.length > 0) await run(adds(slot, wanted))
    for (const { schema, name } of wanted) published.add(tableName(schema, name))
    const heard = new Set(
      tables.map(({ schema, name }) => tableName(schema, name)).filter((name) => published.has(name)),
    )
    return { unheard, heard, removed: removed || (known.size > 0 && there.size < names.length) }
  }
}

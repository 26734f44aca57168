import { list, sql, table, type Query, type Sql, type Steps } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'

/** Where the databases differ for the log of changes. */
export interface EventDialect extends ServiceDialect {
  readonly integerOf: (text: Sql) => Sql
  readonly shownTime: (time: Sql) => Sql
  /** The bytes of a text, or as good a number. */
  readonly sizeOf: (text: Sql) => Sql
  /** Names the transaction; a parameter holds a name where the database has none. */
  readonly write: (parameter: number) => Sql
  /** Changes when the database may have lost the latest changes: after a restore, or a failover. */
  readonly identity: (schema: string) => Sql
  /** Locks the row that a select finds, or finds none if somebody else has locked it. */
  readonly unlessLocked: Sql
  /** One statement that gives positions; null: it takes several. */
  readonly sequence: ((schema: string) => Query) | null
  /** Removes what was moved from the outbox. Parameter: numbers and positions. */
  readonly clear: (schema: string) => Query
  /** Names of the transactions that write to a table now, of those in a JSON array if there is a parameter. */
  readonly writers: (schema: string, name: string, among: boolean) => Query | null
  /**
   * Removes what triggers have put into the outbox in this transaction, of the collections and items in `rows`; null:
   * triggers tell nothing of the service's own writes.
   */
  readonly untell: ((schema: string, rows: Sql) => Query) | null
}

/** Statements on the outbox, the log and its head. Parameters are numbered from 0; rows are sent as JSON arrays of texts. */
export interface EventStatements {
  /** Puts changes into the outbox. Parameters: the changes, the user or an empty text, the name of the transaction. */
  readonly keep: (schema: string) => Steps
  /** The same, in place of what triggers have told of these items. */
  readonly keepInstead: (schema: string) => Steps
  /** Epoch, position, oldest position, stored identity, identity now, bytes, whether something waits. */
  readonly head: (schema: string) => Query
  /** Moves what waits into the log, all in one; null: `lockHead`, `waiting`, `move`, `clear` and `advance`. Returns whether the head was free, how many moved. */
  readonly sequence: ((schema: string) => Query) | null
  /** The position, unless somebody else has the head. */
  readonly lockHead: (schema: string) => Query
  /** The same, waiting for it. */
  readonly awaitHead: (schema: string) => Query
  /** Number and transaction of what waits, and its size. */
  readonly waiting: (schema: string) => Query
  /** Parameter: numbers and positions. */
  readonly move: (schema: string) => Query
  readonly clear: EventDialect['clear']
  /** Parameters: the position, the bytes that were added. */
  readonly advance: (schema: string) => Query
  /** Parameters: the changes with their positions. */
  readonly append: (schema: string) => Query
  /** Parameters: after, up to. At most `AT_ONCE` rows. */
  readonly changes: (schema: string) => Query
  /** The same of a collection, the third parameter. */
  readonly changesOf: (schema: string) => Query
  /** The head as `head` has it, beside each of the oldest changes after parameter 0, or alone. */
  readonly following: (schema: string) => Query
  /** Parameters: the new epoch, the old one. */
  readonly renewEpoch: (schema: string) => Query
  /** Position, size and whether it is older than parameter 1, in milliseconds, of the oldest changes after a position. */
  readonly oldest: (schema: string) => Query
  /** Removes what is not after a position; parameter 0. */
  readonly remove: (schema: string) => Query
  /** Parameters: the oldest position, the bytes that were removed. */
  readonly forget: (schema: string) => Query
  /** Collections that are listened to, with the position since when. */
  readonly interests: (schema: string) => Query
  /** Parameters: collection, milliseconds. A new interest has not begun. */
  readonly listen: (schema: string) => Steps
  /** An interest begins at the newest position, unless it has begun. Parameter: collection. */
  readonly begin: (schema: string) => Query
  /** Collections whose time is over. */
  readonly unheard: (schema: string) => Query
  readonly removeUnheard: (schema: string) => Query
  readonly writers: EventDialect['writers']
}

/** The position of an interest before it is sure that no running write misses it. */
export const NOT_BEGUN = Number.MAX_SAFE_INTEGER

/** How many changes are moved, read or removed by one statement. */
export const AT_ONCE = 1000
/** How many characters of rows one statement sends: MariaDB takes 16 MB by default, and quotes are escaped twice. */
export const MOST_AT_ONCE = 2 * 1024 ** 2

const OUTBOX = 'service_outbox'
const EVENTS = 'service_events'
const HEAD = 'service_event_head'
const INTEREST = 'service_event_interest'

const columns = ['write', 'collection', 'item', 'kind', 'before', 'after'] as const
const ids = (names: readonly string[], source?: string): Sql =>
  list(names.map((name) => (source === undefined ? sql.id(name) : sql`${sql.id(source)}.${sql.id(name)}`)))

const all = [...columns, 'user', 'at'] as const

const headOf = (schema: string, { identity }: EventDialect): Sql =>
  list([
    ids(['epoch', 'position', 'oldest', 'identity'], HEAD),
    identity(schema),
    sql.id(HEAD, 'bytes'),
    sql`case when exists (select 1 from ${table(schema, OUTBOX)}) then 1 else 0 end`,
  ])

export function eventStatements(dialect: EventDialect): EventStatements {
  const { text, integer, textRows, integerOf, shownTime, clock } = dialect
  const outbox = (schema: string) => table(schema, OUTBOX)
  const events = (schema: string) => table(schema, EVENTS)
  const head = (schema: string) => table(schema, HEAD)
  const size = (source: string) =>
    sql`(coalesce(${dialect.sizeOf(sql.id(source, 'before'))}, 0) + coalesce(${dialect.sizeOf(sql.id(source, 'after'))}, 0) + 200)`
  const shown = list([
    sql`position`,
    ids(columns.slice(0, 4)),
    sql.id('before'),
    sql.id('after'),
    sql.id('user'),
    shownTime(sql.id('at')),
  ])
  const changesWhere = (schema: string, condition: Sql) =>
    sql`select ${shown} from ${events(schema)} where position > ${integer(0)} and position <= ${integer(1)}${condition}
      order by position limit ${sql.lit(AT_ONCE)}`
  return {
    ...keepStatements(dialect),
    head: (schema) => sql`select ${headOf(schema, dialect)} from ${head(schema)}`,
    sequence: dialect.sequence,
    lockHead: (schema) => sql`select position from ${head(schema)}${dialect.unlessLocked}`,
    awaitHead: (schema) => sql`update ${head(schema)} set position = position`,
    waiting: (schema) =>
      sql`select seq, ${sql.id('write')}, ${size(OUTBOX)} from ${outbox(schema)} order by seq limit ${sql.lit(AT_ONCE)}`,
    move: (schema) =>
      sql`insert into ${events(schema)} (position, size, ${ids(all)})
        select ${integerOf(sql`x.position`)}, ${size('o')}, ${ids(all, 'o')}
        from ${textRows(text(0), ['seq', 'position'])} as x join ${outbox(schema)} as o on o.seq = ${integerOf(sql`x.seq`)}`,
    clear: dialect.clear,
    advance: (schema) => sql`update ${head(schema)} set position = ${integer(0)}, bytes = bytes + ${integer(1)}`,
    append: (schema) =>
      sql`insert into ${events(schema)} (position, size, ${ids(columns)}, ${sql.id('user')}, ${sql.id('at')})
        select ${integerOf(sql`x.position`)}, ${size('x')}, ${ids(columns, 'x')}, ${sql.id('x', 'user')}, ${clock}
        from ${textRows(text(0), ['position', ...columns, 'user'])} as x`,
    changes: (schema) => changesWhere(schema, sql``),
    following: (schema) =>
      sql`select ${headOf(schema, dialect)}, e.* from ${head(schema)} left join (select ${shown} from ${events(schema)}
        where position > ${integer(0)} order by position limit ${sql.lit(AT_ONCE)}) as e on true order by e.position`,
    changesOf: (schema) => changesWhere(schema, sql` and collection = ${text(2)}`),
    renewEpoch: (schema) =>
      sql`update ${head(schema)} set epoch = ${text(0)}, oldest = position, identity = ${dialect.identity(schema)}
        where epoch = ${text(1)}`,
    oldest: (schema) =>
      sql`select position, size, case when ${sql.id('at')} < ${dialect.after('clock', sql`-1 * ${integer(1)}`)} then 1 else 0 end
        from ${events(schema)} where position > ${integer(0)} order by position limit ${sql.lit(AT_ONCE)}`,
    remove: (schema) => sql`delete from ${events(schema)} where position <= ${integer(0)}`,
    forget: (schema) => sql`update ${head(schema)} set oldest = ${integer(0)}, bytes = bytes - ${integer(1)}`,
    ...interestStatements(dialect),
    writers: dialect.writers,
  }
}

const keepStatements = (dialect: EventDialect): Pick<EventStatements, 'keep' | 'keepInstead'> => {
  const { text, textRows, untell } = dialect
  const given = columns.slice(1)
  const keep = (schema: string) =>
    sql`insert into ${table(schema, OUTBOX)} (${ids(columns)}, ${sql.id('user')})
        select ${dialect.write(2)}, ${ids(given, 'x')}, nullif(${text(1)}, '')
        from ${textRows(text(0), given)} as x order by x.n`
  return {
    keep,
    keepInstead: (schema) => [...(untell === null ? [] : [untell(schema, textRows(text(0), given))]), keep(schema)],
  }
}

const interestStatements = (
  dialect: EventDialect,
): Pick<EventStatements, 'interests' | 'listen' | 'begin' | 'unheard' | 'removeUnheard'> => {
  const { text, integer, clock } = dialect
  return {
    interests: (schema) => sql`select collection, since from ${table(schema, INTEREST)}`,
    listen: (schema) =>
      dialect.upsert(
        sql`insert into ${table(schema, INTEREST)} (collection, since, ${sql.id('until')})
          select ${text(0)}, ${sql.lit(NOT_BEGUN)}, ${dialect.after('clock', integer(1))} from ${table(schema, HEAD)} where true`,
        ['collection'],
        ['until'],
      ),
    begin: (schema) =>
      sql`update ${table(schema, INTEREST)} set since = (select position from ${table(schema, HEAD)})
        where collection = ${text(0)} and since = ${sql.lit(NOT_BEGUN)}`,
    unheard: (schema) => sql`select collection from ${table(schema, INTEREST)} where ${sql.id('until')} < ${clock}`,
    removeUnheard: (schema) => sql`delete from ${table(schema, INTEREST)} where ${sql.id('until')} < ${clock}`,
  }
}

// One served database of the corpus, as input of every check.
import { rowsOf, type Call, type Client, type Row } from './client.ts'
import { columnOf, type Cell, type Column, type Plain, type Table } from './model.ts'
import { relationsOf, type Relation } from './relation-names.ts'

export interface FieldObject {
  readonly collection: string
  readonly field: string
  readonly type: string
  readonly schema?: Row
}

export interface RelationObject {
  readonly collection: string
  readonly field: string
  readonly related_collection: string | null
  readonly meta: Row | null
}

export interface CollectionObject {
  readonly collection: string
  readonly schema: Row | null
}

/** A table that the service serves, with its collection and field objects. */
export interface Served {
  readonly table: Table
  readonly collection: CollectionObject
  readonly fields: ReadonlyMap<string, FieldObject>
  /** Columns that are also fields, limited to the number that the extent allows. */
  readonly columns: readonly Column[]
  /** Null if plain SQL cannot read the table either. */
  readonly count: number | null
}

export interface Sample {
  readonly raw: readonly (readonly Cell[])[]
  readonly shown: readonly Row[]
}

/** How much of a database is compared. */
export interface Extent {
  /** The number of rows compared value by value. */
  readonly rows: number
  /** The number of columns per table that are sorted, filtered and paged by cursor; the others are only read. */
  readonly columns: number
  /** Tables without a key are compared completely up to this number of rows. */
  readonly wholeRows: number
  /** The number of tables whose schema is changed. */
  readonly structures: number
}

export interface Differing {
  readonly expected?: unknown
  readonly got?: unknown
  readonly call?: Call
}

export interface Session {
  readonly name: string
  readonly plain: Plain
  readonly client: Client
  readonly extent: Extent
  readonly seed: number
  readonly served: readonly Served[]
  readonly collections: readonly CollectionObject[]
  readonly relations: readonly RelationObject[]
  /** Relations between the served tables, with the names that the contract specifies. */
  readonly named: readonly Relation[]
  readonly checked: () => void
  readonly differ: (where: string, what: string, differing: Differing) => void
  /** The first rows by key, in SQL and from the service; null if they are not comparable. */
  readonly sample: (served: Served) => Promise<Sample | null>
}

/** Includes the schema name if a user table already has the plain name. */
export const isSystem = ({ collection }: { readonly collection: string }, tables: readonly Table[]): boolean =>
  /^(tain\.)?service_/u.test(collection) && !tables.some((table) => table.collection === collection)

/** Tables whose rows can be read by key. */
export const keyed = ({ served }: Session): readonly Served[] =>
  served.filter(({ table, count }) => table.key.length > 0 && count !== null)

export const orderByKey = (plain: Plain, table: Table, from = table.sql): string =>
  table.key.map((name) => `${from}.${plain.quote(name)}`).join(', ')

/** Selects some columns of the first rows. */
export function firstRows(plain: Plain, table: Table, columns: readonly Column[], limit: number): string {
  const order = table.key.length === 0 ? '' : ` order by ${orderByKey(plain, table)}`
  return `select ${columns.map((column) => plain.select(column, table.sql)).join(', ') || '1'} from ${table.sql}${order} limit ${limit}`
}

export const keyOf = (table: Table, row: Row): readonly unknown[] => table.key.map((name) => row[name])

/** The wire form of keys read through SQL. */
export const wireKeys = (plain: Plain, table: Table, rows: readonly (readonly Cell[])[]): unknown[][] =>
  rows.map((row) => table.key.map((name, place) => plain.wire(columnOf(table, name), row[place] ?? null)))

/** Limits concurrency: the service has a connection pool, and the machine has other work. */
export async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
}

interface Opened {
  readonly name: string
  readonly plain: Plain
  readonly client: Client
  readonly extent: Extent
  readonly seed: number
  readonly checked: Session['checked']
  readonly differ: Session['differ']
}

/** In a table with more columns than this, only a few columns are worth checking. */
const WIDE = 100
const FEW = 8

export async function openSession(opened: Opened): Promise<Session> {
  const { plain, client, extent } = opened
  const list = async (path: string) => rowsOf(await client.send({ method: 'GET', path })) as readonly unknown[]
  const collections = (await list('/collections')) as readonly CollectionObject[]
  const fields = Map.groupBy((await list('/fields')) as readonly FieldObject[], ({ collection }) => collection)
  const relations = (await list('/relations')) as readonly RelationObject[]
  const served: Served[] = []
  for (const table of plain.tables) {
    const collection = collections.find((each) => each.collection === table.collection)
    if (collection === undefined || table.isHidden) continue
    const byName = new Map((fields.get(table.collection) ?? []).map((field) => [field.field, field]))
    const most = table.columns.length > WIDE ? FEW : extent.columns
    const columns = table.columns.filter(({ name }) => byName.has(name)).slice(0, most)
    served.push({ table, collection, fields: byName, columns, count: await countOf(plain, table) })
  }
  const samples = new Map<Table, Promise<Sample | null>>()
  const session: Session = {
    ...opened,
    served,
    collections,
    relations,
    named: relationsOf(served.map(({ table }) => table)),
    sample: (each) => {
      const known = samples.get(each.table) ?? readSample(session, each)
      samples.set(each.table, known)
      return known
    },
  }
  return session
}

async function countOf(plain: Plain, { sql }: Table): Promise<number | null> {
  try {
    // A view that fails may still be counted.
    await plain.rows(`select * from ${sql} limit 1`)
    return Number(String((await plain.rows(`select count(*) from ${sql}`))[0]?.[0]))
  } catch {
    return null
  }
}

async function readSample({ plain, client, extent }: Session, { table, count }: Served): Promise<Sample | null> {
  if (count === null || (table.key.length === 0 && count > extent.wholeRows)) return null
  const limit = table.key.length === 0 ? extent.wholeRows : extent.rows
  const raw = await plain.rows(firstRows(plain, table, table.columns, limit))
  const reply = await client.search(table.collection, { fields: ['*'], limit })
  return reply.status === 200 ? { raw, shown: rowsOf(reply) } : null
}

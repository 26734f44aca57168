// Compares every relation in both directions with SQL joins.
import { pathName, refusalOf, rowsOf, type Row } from '../client.ts'
import { canonical, keyColumns, type Cell, type Column, type Plain, type Table } from '../model.ts'
import type { Relation, Through, ToMany, ToOne } from '../relation-names.ts'
import { each, keyOf, keyed, orderByKey, wireKeys, type Session } from '../session.ts'

/** The number of items whose relations are compared. */
const PARENTS = 25

interface Followed {
  readonly where: string
  readonly from: Table
  readonly name: string
  /** The columns of the related rows that are requested. */
  readonly columns: readonly Column[]
  readonly isList: boolean
  /** If the field is part of the item's own key: the column of the related row that holds that part. */
  readonly keyPart?: string | undefined
  /** By the key of the item, in canonical form. */
  readonly expected: ReadonlyMap<string, unknown>
}

const pick = (row: Row, columns: readonly Column[]): unknown[] => columns.map(({ name }) => row[name])

function shownOf(value: unknown, { isList, columns }: Followed): unknown {
  if (!isList) return value === null || value === undefined ? null : pick(value as Row, columns)
  return (value as readonly Row[]).map((row) => canonical(pick(row, columns))).toSorted()
}

/** A foreign key may differ in type from the column it references, and 64-bit integers are written as text. */
const keyText = (key: readonly unknown[]): string =>
  canonical(key.map((part) => (typeof part === 'number' ? String(part) : part)))

function keyIn({ from, keyPart, name }: Followed, row: Row): readonly unknown[] {
  return from.key.map((part) => {
    const value = row[part]
    return part === name && keyPart !== undefined ? ((value as Row | null)?.[keyPart] ?? null) : value
  })
}

/** Compares the related rows under the field name that the contract specifies. */
async function follow(session: Session, followed: Followed): Promise<void> {
  const { where, from, name, columns, isList, expected } = followed
  session.checked()
  const related = columns.map((column) => `${pathName(name)}.${pathName(column.name)}`)
  const deep = isList ? { deep: { [name]: { _limit: -1 } } } : {}
  const reply = await session.client.search(from.collection, {
    fields: [...from.key.map(pathName), ...related],
    limit: PARENTS,
    ...deep,
  })
  if (reply.status !== 200) {
    session.differ(where, 'cannot be followed', { got: refusalOf(reply), call: reply.call })
    return
  }
  const inSql = (row: Row) => expected.get(keyText(keyIn(followed, row))) ?? (isList ? [] : null)
  const wrong = rowsOf(reply).find((row) => canonical(shownOf(row[name], followed)) !== canonical(inSql(row)))
  if (wrong === undefined) return
  const what = `leads elsewhere from ${canonical(keyIn(followed, wrong))}`
  session.differ(where, what, { expected: inSql(wrong), got: wrong[name], call: reply.call })
}

const joined = (
  plain: Plain,
  from: string,
  columns: readonly string[],
  to: string,
  toColumns: readonly string[],
): string =>
  columns
    .map((name, place) => `${from}.${plain.quote(name)} = ${to}.${plain.quote(toColumns[place] ?? '')}`)
    .join(' and ')

const firstItems = (plain: Plain, table: Table): string =>
  `(select * from ${table.sql} order by ${orderByKey(plain, table)} limit ${PARENTS})`

const listed = (plain: Plain, columns: readonly Column[], from: string): string =>
  columns.map((column) => plain.select(column, from)).join(', ')

/** Maps the key of an item to the remaining columns of its rows. */
function grouped(
  plain: Plain,
  table: Table,
  rows: readonly (readonly Cell[])[],
  columns: readonly Column[],
): Map<string, unknown[][]> {
  const groups = new Map<string, unknown[][]>()
  for (const [place, key] of wireKeys(plain, table, rows).entries()) {
    const values = columns.map((column, index) => plain.wire(column, rows[place]?.[table.key.length + index] ?? null))
    const group = groups.get(keyText(key))
    if (group === undefined) groups.set(keyText(key), [values])
    else group.push(values)
  }
  return groups
}

const asList = (groups: ReadonlyMap<string, unknown[][]>): ReadonlyMap<string, unknown> =>
  new Map([...groups].map(([key, rows]) => [key, rows.map(canonical).toSorted()]))

/** The columns that identify related rows: their key, or all columns. */
const identifying = (table: Table): readonly Column[] => (table.key.length > 0 ? keyColumns(table) : table.columns)

/** Relations of one kind whose items have a key. */
function ofKind<K extends Relation['kind']>(session: Session, kind: K): (Relation & { kind: K })[] {
  const items = new Set(keyed(session).map(({ table }) => table))
  return session.named.filter(
    (relation): relation is Relation & { kind: K } => relation.kind === kind && items.has(relation.from),
  )
}

export async function toOne(session: Session): Promise<void> {
  const { plain } = session
  await each(ofKind(session, 'one'), async ({ from, name, key }: ToOne) => {
    const { columns } = key.to
    const rows = await plain.rows(
      `select ${listed(plain, keyColumns(from), 't')}, ${listed(plain, columns, 'r')} from ${firstItems(plain, from)} t
        join ${key.to.sql} r on ${joined(plain, 't', key.columns, 'r', key.toColumns)}`,
    )
    const expected = new Map([...grouped(plain, from, rows, columns)].map(([item, found]) => [item, found[0]]))
    const where = `${from.collection}.${name} → ${key.to.collection}`
    await follow(session, { where, from, name, columns, isList: false, keyPart: key.toColumns[0], expected })
  })
}

export async function toMany(session: Session): Promise<void> {
  const { plain } = session
  await each(ofKind(session, 'many'), async ({ from, name, child, key }: ToMany) => {
    const columns = identifying(child)
    const rows = await plain.rows(
      `select ${listed(plain, keyColumns(from), 'p')}, ${listed(plain, columns, 'c')} from ${firstItems(plain, from)} p
        join ${child.sql} c on ${joined(plain, 'c', key.columns, 'p', key.toColumns)}`,
    )
    const groups = grouped(plain, from, rows, columns)
    const where = `${from.collection}.${name} ← ${child.collection}`
    await follow(session, { where, from, name, columns, isList: true, expected: asList(groups) })
    await counted(session, where, from, name, groups)
  })
}

/** Compares `count(field)` of each item. */
async function counted(
  { client, checked, differ }: Session,
  where: string,
  from: Table,
  name: string,
  groups: ReadonlyMap<string, unknown[][]>,
): Promise<void> {
  checked()
  const fields = [...from.key.map(pathName), `count(${pathName(name)})`]
  const reply = await client.search(from.collection, { fields, limit: PARENTS })
  if (reply.status !== 200) {
    differ(where, 'cannot be counted', { got: refusalOf(reply), call: reply.call })
    return
  }
  const inSql = (row: Row) => groups.get(keyText(keyOf(from, row)))?.length ?? 0
  const wrong = rowsOf(reply).find((row) => Number(row[`${name}_count`]) !== inSql(row))
  if (wrong !== undefined)
    differ(where, `count(${name})`, { expected: inSql(wrong), got: wrong[`${name}_count`], call: reply.call })
}

export async function manyToMany(session: Session): Promise<void> {
  const { plain } = session
  await each(ofKind(session, 'through'), async ({ from, name, junction, near, far }: Through) => {
    const columns = identifying(far.to)
    const rows = await plain.rows(
      `select ${listed(plain, keyColumns(from), 'p')}, ${listed(plain, columns, 'f')} from ${firstItems(plain, from)} p
        join ${junction.sql} j on ${joined(plain, 'j', near.columns, 'p', near.toColumns)}
        join ${far.to.sql} f on ${joined(plain, 'j', far.columns, 'f', far.toColumns)}`,
    )
    const where = `${from.collection}.${name} ⇄ ${far.to.collection} through ${junction.collection}`
    await follow(session, {
      where,
      from,
      name,
      columns,
      isList: true,
      expected: asList(grouped(plain, from, rows, columns)),
    })
  })
}

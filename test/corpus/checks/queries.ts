// Compares counts, aggregates, sorts and filters of every column with the same in SQL.
import { metaOf, pathName, refusalOf, rowsOf, type Reply, type Row } from '../client.ts'
import { canonical, keyColumns, type Cell, type Column, type Plain, type Table } from '../model.ts'
import { each, keyOf, keyed, orderByKey, wireKeys, type Served, type Session } from '../session.ts'

const whole = new Set(['integer', 'bigInteger'])
const numbers = new Set([...whole, 'decimal', 'float'])

/** Compares `total_count` and `filter_count`. */
export async function counts(session: Session): Promise<void> {
  await each(
    session.served.filter(({ count }) => count !== null),
    async ({ table, count }) => {
      session.checked()
      const call = { method: 'GET', path: `/items/${encodeURIComponent(table.collection)}?limit=0&meta=*` }
      const reply = await session.client.send(call)
      const { total_count: total, filter_count: filtered } = metaOf(reply)
      if (total !== count || filtered !== count)
        session.differ(table.collection, 'meta counts', {
          expected: count,
          got: reply.status === 200 ? metaOf(reply) : refusalOf(reply),
          call,
        })
    },
  )
}

const aggregates = { sum: 'sum', avg: 'avg', min: 'min', max: 'max', countDistinct: 'count(distinct' } as const

const inSql = (name: keyof typeof aggregates, expression: string) =>
  name === 'countDistinct' ? `count(distinct ${expression})` : `${aggregates[name]}(${expression})`

/** Averages and floats may differ in the last digits, which depend on the order of addition. */
function isNear(got: unknown, cell: Cell | undefined): boolean {
  const text = cell === null || cell === undefined ? null : String(cell)
  if (text === null || got === null) return text === null && got === null
  if (got === text) return true
  const [a, b] = [Number(got), Number(text)]
  return Object.is(a, b) || Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b))
}

/** Compares sum, average, minimum, maximum and distinct values of number columns. */
export async function aggregated(session: Session): Promise<void> {
  const { plain, client } = session
  await each(
    session.served.filter(({ count }) => count !== null),
    async (served) => {
      const { table } = served
      const columns = served.columns.filter(
        (column) =>
          numbers.has(plain.fieldType(column)) && plain.fieldType(column) === served.fields.get(column.name)?.type,
      )
      if (columns.length === 0) return
      const names = Object.keys(aggregates) as (keyof typeof aggregates)[]
      const aggregate = Object.fromEntries(names.map((name) => [name, columns.map((column) => pathName(column.name))]))
      const reply = await client.search(table.collection, { aggregate })
      const pairs = columns.flatMap((column) => names.map((name) => ({ column, name })))
      let expected: readonly Cell[] | undefined
      try {
        const list = pairs.map(({ column, name }) => inSql(name, plain.quote(column.name)))
        ;[expected] = await plain.rows(`select ${list.join(', ')} from ${table.sql}`)
      } catch (error) {
        if (reply.status < 400)
          session.differ(table.collection, 'aggregates where SQL has none', {
            expected: String(error),
            got: reply.text.slice(0, 200),
            call: reply.call,
          })
        return
      }
      if (reply.status !== 200) {
        session.checked()
        session.differ(table.collection, 'aggregates', { got: refusalOf(reply), call: reply.call })
        return
      }
      const [row = {}] = rowsOf(reply)
      for (const [place, { column, name }] of pairs.entries()) {
        session.checked()
        const got = (row[name] as Row | undefined)?.[column.name]
        if (!isNear(got, expected?.[place]))
          session.differ(`${table.collection}.${column.name}`, `${name} of ${column.type}`, {
            expected: String(expected?.[place]),
            got,
            call: reply.call,
          })
      }
    },
  )
}

/** The number of rows of the sorted list that are compared. */
const SORTED = 40

const sortedKeys = (plain: Plain, table: Table, column: Column, isDescending: boolean): string =>
  `select ${keyColumns(table)
    .map((key) => plain.select(key, table.sql))
    .join(', ')} from ${table.sql}
    order by ${plain.order(plain.comparable(column, `${table.sql}.${plain.quote(column.name)}`), isDescending)}, ${orderByKey(plain, table)} limit ${SORTED}`

/** Compares both sort directions of every column. */
export async function sorts(session: Session): Promise<void> {
  const { plain, client, checked, differ } = session
  await each(
    keyed(session).filter(({ count }) => (count ?? 0) > 1),
    async ({ table, columns }) => {
      for (const column of columns)
        for (const isDescending of [false, true]) {
          checked()
          const sort = `${isDescending ? '-' : ''}${pathName(column.name)}`
          const reply = await client.search(table.collection, {
            fields: table.key.map(pathName),
            sort: [sort],
            limit: SORTED,
          })
          const where = `${table.collection} by ${sort}`
          const rows = await plain.rows(sortedKeys(plain, table, column, isDescending))
          if (reply.status !== 200) {
            differ(where, `cannot be sorted by ${column.type}`, { got: refusalOf(reply), call: reply.call })
            continue
          }
          const expected = wireKeys(plain, table, rows)
          const got = rowsOf(reply).map((row) => keyOf(table, row))
          if (canonical(got) !== canonical(expected))
            differ(where, `order of ${column.type}`, { expected, got, call: reply.call })
        }
    },
  )
}

interface Condition {
  readonly operator: string
  readonly operand: unknown
  readonly where: string
}

const ordered = new Set([...numbers, 'date', 'dateTime', 'timestamp', 'time', 'unknown'])
const texts = new Set(['string', 'text'])

/** Conditions that a value of the column meets, each with its SQL equivalent for the stored value. */
function conditionsOf(
  session: Session,
  column: Column,
  type: string,
  shown: unknown,
  stored: string,
): readonly Condition[] {
  const { plain } = session
  const name = plain.comparable(column, plain.quote(column.name))
  const value = plain.comparable(column, stored)
  const isNull = plain.isNull(column, plain.quote(column.name))
  const conditions: Condition[] = [
    { operator: '_null', operand: true, where: isNull },
    { operator: '_nnull', operand: true, where: `not (${isNull})` },
  ]
  if (shown === null || shown === undefined || type === 'json') return conditions
  // Other operators reject an empty string, and binary columns do not support _empty.
  if (shown === '')
    return type === 'binary'
      ? conditions
      : [...conditions, { operator: '_empty', operand: true, where: `${isNull} or ${name} = ${value}` }]
  conditions.push({ operator: '_eq', operand: shown, where: `${name} = ${value}` })
  if (type.startsWith('geometry')) return []
  if (type !== 'boolean') {
    conditions.push({ operator: '_in', operand: [shown], where: `${name} = ${value}` })
    conditions.push({ operator: '_neq', operand: shown, where: `${name} <> ${value}` })
  }
  if (ordered.has(type)) {
    conditions.push({ operator: '_gt', operand: shown, where: `${name} > ${value}` })
    conditions.push({ operator: '_lte', operand: shown, where: `${name} <= ${value}` })
    conditions.push({ operator: '_between', operand: [shown, shown], where: `${name} between ${value} and ${value}` })
  }
  return conditions
}

/** Searches for one letter of a text, which other rows may also contain. */
function containsOf({ plain }: Session, column: Column, type: string, shown: unknown): readonly Condition[] {
  if (!texts.has(type) || column.isEnum || typeof shown !== 'string') return []
  const part = /[\p{L}\p{N}]/u.exec(shown)?.[0]
  if (part === undefined) return []
  // PostgreSQL and SQLite match case-sensitively, MariaDB by its collation; instr does not handle accents.
  const name = plain.quote(column.name)
  const letter = plain.literal(part)
  const where = {
    postgres: `strpos(${name}::text, ${letter}) > 0`,
    mysql: `${name} like concat('%', ${letter}, '%')`,
    sqlite: `instr(${name}, ${letter}) > 0`,
  }[plain.dialect]
  return [{ operator: '_contains', operand: part, where }]
}

/** The value of a column in one row, by the row's position in key order. */
const storedValue = (plain: Plain, table: Table, column: Column, place: number): string =>
  `(select v from (select ${table.sql}.${plain.quote(column.name)} as v from ${table.sql} order by ${orderByKey(plain, table)} limit 1 offset ${place}) x)`

/** Compares the number of rows that match conditions on every column. */
export async function filters(session: Session): Promise<void> {
  await each(keyed(session), async (served) => {
    const sample = await session.sample(served)
    if (sample === null || sample.shown.length === 0) return
    const { table, columns, fields } = served
    for (const column of columns) {
      const middle = Math.floor(sample.shown.length / 2)
      const hasValue = (row: Row | undefined) => row?.[column.name] !== null
      const place = hasValue(sample.shown[middle]) ? middle : Math.max(0, sample.shown.findIndex(hasValue))
      const shown = sample.shown[place]?.[column.name]
      const type = fields.get(column.name)?.type ?? ''
      const value = storedValue(session.plain, table, column, place)
      for (const condition of [
        ...conditionsOf(session, column, type, shown, value),
        ...containsOf(session, column, type, shown),
      ])
        await filtered(session, served, column, condition)
    }
  })
}

async function filtered(
  { plain, client, checked, differ }: Session,
  { table }: Served,
  column: Column,
  condition: Condition,
): Promise<void> {
  const { operator, operand, where } = condition
  checked()
  const query = {
    fields: table.key.map(pathName),
    filter: { [column.name]: { [operator]: operand } },
    limit: 0,
    meta: ['filter_count'],
  }
  const reply: Reply = await client.search(table.collection, query)
  const place = `${table.collection}.${column.name}`
  const rows = await plain.rows(`select count(*) from ${table.sql} where ${where}`)
  const expected = Number(String(rows[0]?.[0]))
  const got = reply.status === 200 ? metaOf(reply)['filter_count'] : refusalOf(reply)
  if (got !== expected) differ(place, `${operator} on ${column.type}`, { expected, got, call: reply.call })
}

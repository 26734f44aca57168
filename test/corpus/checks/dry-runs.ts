// Writes that are rolled back: compares the result in SQL with the service's response, and checks that no row changed.
import { randomUUID } from 'node:crypto'
import { itemPath, refusalOf, rowOf, type Call, type Reply, type Row } from '../client.ts'
import { canonical, isSame, type Attempt, type Cell, type Column, type Plain, type Table } from '../model.ts'
import { keyed, keyOf, orderByKey, type Served, type Session } from '../session.ts'

const prefer = { prefer: 'tx=rollback' }

/** Selects the first row by key, with a condition that also works inside UPDATE and DELETE of the same table. */
function isFirst(plain: Plain, table: Table): string {
  const first = `(select ${table.key.map(plain.quote).join(', ')} from ${table.sql} order by ${orderByKey(plain, table)} limit 1)`
  return table.key.map((name) => `${plain.quote(name)} = (select x.${plain.quote(name)} from ${first} x)`).join(' and ')
}

const selectList = (plain: Plain, columns: readonly Column[]) =>
  columns.map((column) => plain.select(column)).join(', ')

/** Compares digests of all tables before and after the work: it must leave no change behind. */
async function unchanged(session: Session, work: (served: Served) => Promise<void>): Promise<void> {
  const tables = session.plain.tables.filter(({ kind, isHidden }) => kind === 'table' && !isHidden)
  const digests = async () => {
    const found = new Map<Table, string>()
    for (const table of tables) found.set(table, await session.plain.digest(table))
    return found
  }
  const before = await digests()
  for (const served of keyed(session)) if (served.table.kind === 'table' && (served.count ?? 0) > 0) await work(served)
  for (const [table, digest] of await digests()) {
    session.checked()
    if (before.get(table) !== digest)
      session.differ(table.collection, 'a dry run changed rows', { expected: before.get(table), got: digest })
  }
}

interface Run {
  readonly served: Served
  readonly call: Call
  readonly attempt: Attempt
  /** The columns that the attempt reads back. */
  readonly columns: readonly Column[]
  /** The row that the response must repeat. */
  readonly expected: Row
}

/** The service accepts what the database accepts, rejects what it rejects, and shows the row as it would be stored. */
async function compare({ plain, client, checked, differ }: Session, run: Run, what: string): Promise<void> {
  const { served, call, attempt, columns, expected } = run
  checked()
  const reply = await client.send(call)
  const { collection, isTransactional } = served.table
  if (!isTransactional) {
    if (reply.status !== 422)
      differ(collection, `${what} on an engine without transactions`, { expected: 422, got: refusalOf(reply), call })
    return
  }
  if (!attempt.ok) {
    if (reply.status < 400)
      differ(collection, `${what} that SQL refuses`, { expected: attempt.message, got: reply.status, call })
    return
  }
  if (!isDone(reply)) {
    // A rule or trigger may have discarded the write.
    if (attempt.rows.length > 0) differ(collection, what, { expected: 'done, as in SQL', got: refusalOf(reply), call })
    return
  }
  const [made] = attempt.rows
  if (reply.status === 204 || made === undefined) return
  const wrong = columns.find((column, place) => {
    const stored = plain.wire(column, made[place] ?? null)
    // Values that the database generates anew each time are not comparable.
    return isSame(stored, expected[column.name]) && !isSame(rowOf(reply)[column.name], stored)
  })
  if (wrong !== undefined)
    differ(`${collection}.${wrong.name}`, `${what}: value of ${wrong.type}`, {
      expected: expected[wrong.name],
      got: rowOf(reply)[wrong.name],
      call,
    })
}

const isDone = ({ status }: Reply) => status === 200 || status === 204

const isWritable = ({ isGenerated, identity }: Column) => !isGenerated && identity !== 'always'

/** Writing a row with its current values leaves it unchanged. */
export async function patches(session: Session): Promise<void> {
  const { plain } = session
  await unchanged(session, async (served) => {
    const { table } = served
    const shown = (await session.sample(served))?.shown[0]
    if (shown === undefined) return
    const columns = table.columns.filter(isWritable)
    const sets = columns.map(({ name }) => `${plain.quote(name)} = ${plain.quote(name)}`).join(', ')
    const read = `select ${selectList(plain, columns)} from ${table.sql} where ${isFirst(plain, table)}`
    const attempt: Attempt = table.isTransactional
      ? await plain.attempt([`update ${table.sql} set ${sets} where ${isFirst(plain, table)}`, read])
      : { ok: false, message: '' }
    const body = Object.fromEntries(columns.map(({ name }) => [name, shown[name]]))
    const call = { method: 'PATCH', path: itemPath(table.collection, keyOf(table, shown)), body, headers: prefer }
    await compare(session, { served, call, attempt, columns, expected: shown }, 'a PATCH with its own values')
  })
}

/** A row can be deleted through the service if and only if SQL can delete it. */
export async function deletes(session: Session): Promise<void> {
  const { plain } = session
  await unchanged(session, async (served) => {
    const { table } = served
    const shown = (await session.sample(served))?.shown[0]
    if (shown === undefined) return
    const condition = isFirst(plain, table)
    const gone = plain.dialect === 'postgres' ? ' returning 1' : ''
    const attempt: Attempt = table.isTransactional
      ? await plain.attempt([
          `delete from ${table.sql} where ${condition}${gone}`,
          ...(gone === '' ? ['select 1'] : []),
        ])
      : { ok: false, message: '' }
    const call = { method: 'DELETE', path: itemPath(table.collection, keyOf(table, shown)), headers: prefer }
    await compare(session, { served, call, attempt, columns: [], expected: shown }, 'a DELETE')
  })
}

/** A value that no row has in this column, for SQL and for the payload; null if none can be generated. */
async function freshValue(
  plain: Plain,
  table: Table,
  column: Column,
  shown: unknown,
): Promise<{ sql: string; json: unknown } | null> {
  const type = plain.fieldType(column)
  if (type === 'integer' || type === 'bigInteger') {
    const [row] = await plain.rows(`select max(${plain.quote(column.name)}) from ${table.sql}`)
    const next = BigInt(String(row?.[0] ?? 0)) + 1n
    return { sql: String(next), json: type === 'integer' ? Number(next) : String(next) }
  }
  if (type === 'uuid') {
    const made = randomUUID()
    return { sql: plain.literal(made), json: made }
  }
  if ((type !== 'string' && type !== 'text') || column.isEnum || typeof shown !== 'string') return null
  const limit = Number(/\((\d+)\)/u.exec(column.type)?.[1] ?? '100')
  const text = `Zq${shown}`.slice(0, limit)
  return text === shown ? null : { sql: plain.literal(text), json: text }
}

interface Copy {
  readonly insert: string
  readonly body: Record<string, unknown>
  readonly expected: Row
}

/** A copy of the row under another key, with other values in unique columns. */
async function copyOf({ plain }: Session, table: Table, shown: Row): Promise<Copy | null> {
  const isForeign = (name: string) => table.foreignKeys.some(({ columns }) => columns.includes(name))
  const unique = table.uniques.filter((columns) => columns.length === 1).flat()
  const part = table.key.findLast((name) => !isForeign(name))
  if (part === undefined || unique.some(isForeign)) return null
  const changed = new Set([part, ...unique])
  const body: Record<string, unknown> = {}
  const expressions: string[] = []
  const names: string[] = []
  for (const column of table.columns.filter((each) => isWritable(each))) {
    const fresh = changed.has(column.name) ? await freshValue(plain, table, column, shown[column.name]) : null
    if (changed.has(column.name) && fresh === null && shown[column.name] !== null) return null
    names.push(plain.quote(column.name))
    expressions.push(fresh?.sql ?? plain.quote(column.name))
    Object.defineProperty(body, column.name, {
      value: fresh === null ? shown[column.name] : fresh.json,
      enumerable: true,
      configurable: true,
    })
  }
  if (names.length === 0) return null
  const from = `(select ${table.columns.map(({ name }) => plain.quote(name)).join(', ')} from ${table.sql} where ${isFirst(plain, table)}) source`
  const insert = `insert into ${table.sql} (${names.join(', ')}) select ${expressions.join(', ')} from ${from}`
  return { insert, body, expected: { ...shown, ...body } }
}

/** A row that SQL can insert again can be created through the service, with the same values. */
export async function copies(session: Session): Promise<void> {
  const { plain } = session
  await unchanged(session, async (served) => {
    const { table } = served
    const shown = (await session.sample(served))?.shown[0]
    const copy = shown === undefined ? null : await copyOf(session, table, shown)
    if (copy === null) return
    const columns = table.columns.filter(isWritable)
    const attempt = table.isTransactional
      ? await insertAttempt(plain, table, copy, columns)
      : { ok: false as const, message: '' }
    const call = {
      method: 'POST',
      path: `/items/${encodeURIComponent(table.collection)}`,
      body: copy.body,
      headers: prefer,
    }
    await compare(session, { served, call, attempt, columns, expected: copy.expected }, 'a copy')
  })
}

/** Reads the new row back: the one that did not exist before. */
async function insertAttempt(
  plain: Plain,
  table: Table,
  { insert }: Copy,
  columns: readonly Column[],
): Promise<Attempt> {
  const list = selectList(plain, columns)
  if (plain.dialect === 'postgres') {
    const answer = await plain.attempt([`${insert} returning ${list}`])
    // A table with rules rejects RETURNING; the check is whether it accepts the row.
    return answer.ok || !answer.message.includes('RETURNING') ? answer : plain.attempt([insert])
  }
  const all = `select ${list} from ${table.sql}`
  const before = new Set((await plain.rows(all)).map(textOf))
  const answer = await plain.attempt([insert, all])
  return answer.ok ? { ok: true, rows: answer.rows.filter((row) => !before.has(textOf(row))) } : answer
}

const textOf = (row: readonly Cell[]): string =>
  canonical(row.map((cell) => (Buffer.isBuffer(cell) ? cell.toString('hex') : cell)))

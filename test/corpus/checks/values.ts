// Compares rows value by value, and reads each row by its URL.
import { itemPath, refusalOf, rowOf, rowsOf, type Row } from '../client.ts'
import { anything, canonical, isSame, type Cell, type Table } from '../model.ts'
import { each, keyed, keyOf, type Served, type Session } from '../session.ts'

const wireRow = ({ plain }: Session, { columns }: Table, raw: readonly Cell[]): unknown[] =>
  columns.map((column, place) => plain.wire(column, raw[place] ?? null))

/** Compares the first rows of every collection, or all rows of a table without a key. */
export async function values(session: Session): Promise<void> {
  await each(session.served, async (served) => {
    const { table, count } = served
    const query = { fields: ['*'], limit: 1 }
    const call = { method: 'SEARCH', path: `/items/${encodeURIComponent(table.collection)}`, body: { query } }
    session.checked()
    if (count === null) {
      // Plain SQL fails as well, so an error response is not a failure of the service.
      const reply = await session.client.send(call)
      if (reply.status < 400 || reply.status >= 500)
        session.differ(table.collection, 'cannot be read in SQL', { expected: '4xx', got: refusalOf(reply), call })
      return
    }
    const sample = await session.sample(served)
    if (sample === null) {
      const reply = await session.client.send(call)
      if (reply.status !== 200) session.differ(table.collection, 'cannot be read', { got: refusalOf(reply), call })
      return
    }
    if (table.key.length === 0) compareSets(session, served, sample.shown, sample.raw)
    else compareRows(session, served, sample.shown, sample.raw)
  })
}

type Raws = readonly (readonly Cell[])[]

function compareRows(session: Session, { table }: Served, shown: readonly Row[], raws: Raws): void {
  const path = `/items/${encodeURIComponent(table.collection)}`
  if (shown.length !== raws.length) {
    session.differ(table.collection, 'number of rows', {
      expected: raws.length,
      got: shown.length,
      call: { method: 'GET', path },
    })
    return
  }
  const told = new Set<string>()
  for (const [place, raw] of raws.entries()) {
    for (const [index, expected] of wireRow(session, table, raw).entries()) {
      const column = table.columns[index]
      if (column === undefined) continue
      session.checked()
      const got = shown[place]?.[column.name]
      if (isSame(got, expected) || told.has(column.name)) continue
      // One example per column is enough to investigate.
      told.add(column.name)
      const body = { query: { fields: ['*'], limit: 1, offset: place } }
      session.differ(`${table.collection}.${column.name}`, `value of ${column.type}`, {
        expected,
        got,
        call: { method: 'SEARCH', path, body },
      })
    }
  }
}

/** Rows without a key have no order and are compared as a multiset. */
function compareSets(session: Session, { table }: Served, shown: readonly Row[], raws: Raws): void {
  const lines = raws.map((raw) => wireRow(session, table, raw))
  const isOpen = table.columns.map((_, index) => lines.some((line) => line[index] === anything))
  const text = (line: readonly unknown[]) =>
    canonical(line.map((value, index) => (isOpen[index] === true ? null : value)))
  const expected = lines.map(text).toSorted()
  const got = shown.map((row) => text(table.columns.map(({ name }) => row[name]))).toSorted()
  session.checked()
  const place =
    Math.max(expected.length, got.length) === 0 ? -1 : expected.findIndex((line, index) => line !== got[index])
  if (place === -1 && expected.length === got.length) return
  const path = `/items/${encodeURIComponent(table.collection)}?limit=-1`
  session.differ(table.collection, 'rows', {
    expected: expected[place],
    got: got[place],
    call: { method: 'GET', path },
  })
}

/** Every listed row can be read under its key. */
export async function addresses(session: Session): Promise<void> {
  await each(keyed(session), async (served) => {
    const sample = await session.sample(served)
    for (const row of sample?.shown.slice(0, session.extent.rows / 2) ?? []) {
      session.checked()
      const call = { method: 'GET', path: itemPath(served.table.collection, keyOf(served.table, row)) }
      const reply = await session.client.send(call)
      if (reply.status !== 200) {
        session.differ(served.table.collection, 'is not found by its key', {
          expected: keyOf(served.table, row),
          got: refusalOf(reply),
          call,
        })
        return
      }
      if (!isSame(rowOf(reply), row))
        session.differ(served.table.collection, 'another row by its key', { expected: row, got: rowOf(reply), call })
    }
  })
}

/** Requests all relations of all fields at once; only checks that there is a response. */
export async function nestedAll(session: Session): Promise<void> {
  await each(
    session.served.filter(({ count }) => count !== null),
    async ({ table }) => {
      session.checked()
      const call = { method: 'GET', path: `/items/${encodeURIComponent(table.collection)}?limit=20&fields=*.*` }
      const reply = await session.client.send(call)
      if (reply.status !== 200)
        session.differ(table.collection, 'cannot be read with *.*', { got: refusalOf(reply), call })
      else if (!Array.isArray(rowsOf(reply)))
        session.differ(table.collection, 'no rows with *.*', { got: reply.text.slice(0, 300), call })
    },
  )
}

// Reading with cursors returns every row exactly once, for any sort order.
import { metaOf, pathName, refusalOf, rowsOf, type Row } from '../client.ts'
import { canonical } from '../model.ts'
import { each, keyOf, keyed, type Session } from '../session.ts'

const PAGES = 5
const LEAST_PAGE = 2
/** Larger tables are only sorted by their key and two columns. */
const SMALL = 1000

type Walk = { readonly rows: readonly Row[] } | { readonly refusal: string; readonly call: object }

async function walk({ client }: Session, collection: string, query: object, limit: number): Promise<Walk> {
  const rows: Row[] = []
  let cursor: unknown
  for (let page = 0; page < PAGES * 3; page += 1) {
    const asked = { ...query, limit, meta: ['cursor'], ...(cursor === undefined ? {} : { cursor }) }
    const reply = await client.search(collection, asked)
    if (reply.status !== 200) return { refusal: refusalOf(reply), call: reply.call }
    rows.push(...rowsOf(reply))
    cursor = metaOf(reply)['next_cursor'] ?? undefined
    if (cursor === undefined) break
  }
  return { rows }
}

export async function cursors(session: Session): Promise<void> {
  const { client, checked, differ } = session
  await each(
    keyed(session).filter(({ count }) => (count ?? 0) > LEAST_PAGE && (count ?? 0) <= 20_000),
    async ({ table, columns, count }) => {
      const total = count ?? 0
      const limit = Math.max(LEAST_PAGE, Math.ceil(total / PAGES))
      const names = columns.map(({ name }) => name)
      const walked = total <= SMALL ? names : names.filter((name) => !table.key.includes(name)).slice(0, 2)
      const sorts = [[], ...walked.map((name, place) => [`${place % 2 === 0 ? '' : '-'}${pathName(name)}`])]
      for (const sort of sorts) {
        const query = { fields: table.key.map(pathName), ...(sort.length === 0 ? {} : { sort }) }
        const all = await client.search(table.collection, { ...query, limit: -1 })
        // Another check covers whether a column is sortable.
        if (all.status !== 200) continue
        checked()
        const where = `${table.collection} by ${sort.join() || 'its key'}`
        const found = await walk(session, table.collection, query, limit)
        const call = { ...all.call, body: { query: { ...query, limit, meta: ['cursor'] } } }
        if ('refusal' in found) {
          differ(where, 'the walk ends in a refusal', { got: found.refusal, call })
          continue
        }
        const [expected, got] = [rowsOf(all), found.rows].map((rows) => rows.map((row) => keyOf(table, row)))
        if (canonical(got) !== canonical(expected))
          differ(where, `rows of a walk in pages of ${limit}`, {
            expected: `${total} rows, each once`,
            got: `${got?.length} rows: ${canonical(got).slice(0, 200)}`,
            call,
          })
      }
    },
  )
}

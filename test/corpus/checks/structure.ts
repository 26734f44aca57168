// Adding, changing and dropping a field on random tables leaves the catalogue and the rows unchanged.
import { createRng } from '../../random/rng.ts'
import { refusalOf, type Call } from '../client.ts'
import type { Session, Served } from '../session.ts'

const FIELD = 'zz_corpus_extra'

export async function structure(session: Session): Promise<void> {
  const { plain, checked, differ, extent } = session
  const before = await plain.structure()
  const candidates = session.served.filter(({ table, count }) => table.kind === 'table' && count !== null)
  const chosen = createRng(session.seed).shuffle(candidates).slice(0, extent.structures)
  for (const served of chosen) {
    checked()
    const digest = await plain.digest(served.table)
    await comeAndGo(session, served)
    if ((await plain.digest(served.table)) !== digest)
      differ(served.table.collection, 'rows changed with the structure', {})
  }
  const after = await plain.structure()
  const [gone, come] = [before.filter((line) => !after.includes(line)), after.filter((line) => !before.includes(line))]
  if (gone.length + come.length > 0)
    differ('catalogue', 'is another after the changes', { expected: gone.slice(0, 4), got: come.slice(0, 4) })
}

async function comeAndGo({ client, differ }: Session, { table }: Served): Promise<void> {
  const path = `/fields/${encodeURIComponent(table.collection)}`
  const steps: readonly (readonly [what: string, status: number, call: Call])[] = [
    [
      'adding a field',
      200,
      { method: 'POST', path, body: { field: FIELD, type: 'string', schema: { max_length: 20, is_nullable: true } } },
    ],
    [
      'changing a field',
      200,
      { method: 'PATCH', path: `${path}/${FIELD}`, body: { type: 'text', schema: { default_value: 'x' } } },
    ],
    ['removing a field', 204, { method: 'DELETE', path: `${path}/${FIELD}` }],
  ]
  for (const [what, status, call] of steps) {
    const reply = await client.send(call)
    if (!table.isAlterable) {
      if (reply.status < 400 || reply.status >= 500)
        differ(table.collection, `${what} where the server refuses it`, {
          expected: '4xx',
          got: refusalOf(reply),
          call,
        })
      return
    }
    if (reply.status === status) continue
    differ(table.collection, what, { expected: status, got: refusalOf(reply), call })
    // The remaining steps depend on the first one.
    if (what === 'adding a field') return
  }
}

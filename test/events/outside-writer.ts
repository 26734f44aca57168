import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TestConnection } from '../lib/databases.ts'

export interface OutsideWriterOptions {
  readonly url: string
  readonly suicide: string
  /** The same numbers for the same seed. */
  readonly next: () => number
  readonly index: number
  readonly items: number
  readonly isOver: () => boolean
  readonly made: (changes: number) => void
  readonly killed: () => void
}

/** What a transaction of another program does, and how many changes that makes. */
function script({ next, index, items }: OutsideWriterOptions, turn: number): readonly [readonly string[], number] {
  const mark = (n: number) => `'o${index}-${turn}-${n}'`
  const level = () => Math.floor(next() * 3)
  if (next() < 0.3) {
    const rows = Array.from({ length: 20 }, (_, n) => `(${mark(n)}, 'from outside')`)
    return [[`insert into notes values ${rows.join()}`], rows.length]
  }
  const table = next() < 0.6 ? 'others' : 'mixed'
  const count = 1 + Math.floor(next() * 6)
  const first = 1 + Math.floor(next() * (items - count))
  const statements = Array.from({ length: count }, (_, n) => {
    const dice = next()
    const id = first + n
    if (dice < 0.15) return `delete from ${table} where id = ${id}`
    if (dice < 0.6) return `update ${table} set mark = ${mark(n)}, level = ${level()} where id = ${id}`
    return `insert into ${table} (id, mark, level) select ${id}, ${mark(n)}, ${level()} where not exists (select 1 from ${table} where id = ${id})`
  })
  return [statements, count]
}

/** Another program: it writes by SQL, rolls back at times, and dies in the middle at others. */
export async function writeOutside(options: OutsideWriterOptions): Promise<void> {
  const { url, suicide, next, isOver, made, killed } = options
  let connection: TestConnection | null = null
  for (let turn = 0; !isOver(); turn += 1) {
    connection ??= await connect(url).catch(() => null)
    if (connection === null) {
      await sleep(50)
      continue
    }
    const [statements, count] = script(options, turn)
    const isKilled = next() < 0.005
    try {
      await connection.query('begin')
      for (const statement of statements) await connection.query(statement)
      if (isKilled) await connection.query(suicide)
      const isKept = next() < 0.9
      await connection.query(isKept ? 'commit' : 'rollback')
      if (isKept) made(count)
    } catch {
      // A deadlock, a row that another one has made meanwhile, or its own end.
      const isAlive = await connection.query('rollback').then(
        () => true,
        () => false,
      )
      if (isKilled) killed()
      if (!isAlive) {
        await connection.close().catch(() => undefined)
        connection = null
      }
    }
  }
  await connection?.close().catch(() => undefined)
}

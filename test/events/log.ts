import type { TestDatabase } from '../lib/databases.ts'

/** A change as the log in the database has it. */
export interface Logged {
  readonly position: number
  readonly write: string
  readonly collection: string
  readonly key: string
  readonly kind: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

const tables: Readonly<Record<TestDatabase['dialect'], (name: string) => string>> = {
  postgres: (name) => `tain.${name}`,
  mysql: (name) => name,
  sqlite: (name) => name,
}

const quotes: Readonly<Record<TestDatabase['dialect'], (name: string) => string>> = {
  postgres: (name) => `"${name}"`,
  mysql: (name) => `\`${name}\``,
  sqlite: (name) => `"${name}"`,
}

export const tableIn = ({ dialect }: TestDatabase, name: string): string => tables[dialect](name)
export const quotedIn = ({ dialect }: TestDatabase, name: string): string => quotes[dialect](name)

const parse = (text: string | null | undefined) =>
  (text ?? null) === null ? null : (JSON.parse(text ?? '') as Readonly<Record<string, unknown>>)

/** The log, once nothing waits for a position any more. */
export async function logOf(database: TestDatabase, after = 0): Promise<readonly Logged[]> {
  for (let tries = 0; tries < 500; tries += 1) {
    const [row] = await database.query(`select count(*) from ${tableIn(database, 'service_outbox')}`)
    if (Number(row?.[0]) === 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const columns = ['position', 'write', 'collection', 'item', 'kind', 'before', 'after'].map((name) =>
    quotedIn(database, name),
  )
  const rows = await database.query(
    `select ${columns.join()} from ${tableIn(database, 'service_events')} where position > ${after} order by position`,
  )
  return rows.map(([position, write, collection, key, kind, before, image]) => ({
    position: Number(position),
    write: write ?? '',
    collection: collection ?? '',
    key: key ?? '',
    kind: kind ?? '',
    before: parse(before),
    after: parse(image),
  }))
}

/** Waits until the changes of every collection are kept. */
export async function untilCaptured(database: TestDatabase): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const rows = await database.query(
      `select 1 from ${tableIn(database, 'service_event_interest')} where since < 9007199254740991`,
    )
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('nobody listens')
}

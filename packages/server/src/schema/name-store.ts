import { run, type Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import type { StoredName } from '../sql/service/names.ts'
import type { StoredValue } from '../sql/service/stored-value.ts'
import type { NameBook } from './names.ts'

/** Maximum number of names in one bind value. */
const MANY = 2000

/** The metadata has changed since it was read. */
class Stale extends Error {}

const text = (column: string, value: string | null): StoredValue => ({ column, kind: 'text', value })

export const nameKeys = ({ kind, collection, subject }: Pick<StoredName, 'kind' | 'collection' | 'subject'>) => [
  text('kind', kind),
  text('collection', collection),
  text('subject', subject),
]

export const hasNews = ({ fresh, displaced }: NameBook): boolean => fresh.length > 0 || displaced.length > 0

/**
 * Stores new names under the lock of the version row: if several replicas see a new relation, the first one stores its
 * name and the others read it. Returns the new version; null if the names were derived from older metadata.
 */
export async function storeNames(
  database: Pick<Database, 'driver' | 'dialect' | 'serviceTables'>,
  systemSchema: string,
  version: number,
  names: NameBook,
): Promise<number | null> {
  const { driver, dialect, serviceTables } = database
  const write = async (transaction: Transaction): Promise<number> => {
    const [row] = await run(serviceTables.bump(systemSchema), transaction, dialect)
    if (Number(row?.[0]) !== version + 1) throw new Stale()
    for (let from = 0; from < names.fresh.length; from += MANY)
      await run(serviceTables.writeNames(systemSchema, names.fresh.slice(from, from + MANY)), transaction, dialect)
    for (const name of names.displaced)
      await run(
        serviceTables.update(systemSchema, 'service_names', nameKeys(name), [text('instead', name.instead)]),
        transaction,
        dialect,
      )
    return version + 1
  }
  try {
    return await driver.transaction(write)
  } catch (error) {
    if (error instanceof Stale) return null
    throw error
  }
}

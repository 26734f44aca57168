import type { Database } from '../sql/database.ts'
import { createServiceStatements, inTransaction } from '../sql/service/run-service-statement.ts'

export interface Retention {
  /** How long changes are kept, in milliseconds. */
  readonly age: number
  /** How large the log may become, in bytes. */
  readonly size: number
}

/** Removes the oldest changes, some at a time; returns how many. */
export async function removeOldest(
  database: Database,
  systemSchema: string,
  { age, size }: Retention,
): Promise<number> {
  const { driver, events } = database
  const ask = createServiceStatements(database, systemSchema)
  let removed = 0
  for (;;) {
    const some = await inTransaction(driver, async (transaction) => {
      await ask(events.awaitHead, [], transaction)
      const [head] = await ask(events.head, [], transaction)
      const [, , oldest, , , bytes] = head ?? []
      let excess = Number(bytes ?? 0) - size
      let last: string | null = null
      let [count, freed] = [0, 0]
      for (const [position, bytesOf, isOld] of await ask(events.oldest, [oldest ?? '0', String(age)], transaction)) {
        if (isOld !== '1' && excess <= 0) break
        last = position ?? null
        count += 1
        freed += Number(bytesOf ?? 0)
        excess -= Number(bytesOf ?? 0)
      }
      if (last === null) return 0
      await ask(events.remove, [last], transaction)
      await ask(events.forget, [last, String(freed)], transaction)
      return count
    })
    removed += some
    if (some === 0) return removed
  }
}

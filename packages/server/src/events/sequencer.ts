import { between, type Failpoints } from '../lib/failpoint.ts'
import type { Database } from '../sql/database.ts'
import type { Row } from '../sql/driver.ts'
import { createServiceStatements, inTransaction } from '../sql/service/run-service-statement.ts'

/** Gives positions to what waits in the outbox. */
export interface Sequencer {
  /** How many changes got a position; null: another process gives positions at this moment. */
  readonly step: () => Promise<number | null>
}

export function createSequencer(database: Database, systemSchema: string, failpoints: Failpoints | null): Sequencer {
  const { driver, events } = database
  const ask = createServiceStatements(database, systemSchema)

  const together = async (): Promise<number | null> => {
    const [row] = events.sequence === null ? [] : await ask(events.sequence)
    return row?.[0] === '1' ? Number(row[1] ?? 0) : null
  }

  const apart = () =>
    inTransaction(driver, async (transaction): Promise<number | null> => {
      const [head] = await ask(events.lockHead, [], transaction)
      if (head === undefined) return null
      const waiting = await ask(events.waiting, [], transaction)
      if (waiting.length === 0) return 0
      const first = Number(head[0] ?? 0) + 1
      const places = JSON.stringify(inOrder(waiting).map((seq, index) => ({ seq, position: String(first + index) })))
      const bytes = waiting.reduce((sum, [, , size]) => sum + Number(size ?? 0), 0)
      await ask(events.move, [places], transaction)
      await ask(events.clear, [places], transaction)
      await ask(events.advance, [String(first + waiting.length - 1), String(bytes)], transaction)
      return waiting.length
    })

  const step = events.sequence === null ? apart : together
  return {
    step: () =>
      failpoints === null ? step() : between(failpoints, 'events.before-sequence', 'events.after-sequence', step),
  }
}

/** Changes of a transaction stay together, at the place of its last one: until then it held the rows that others changed after it. */
function inOrder(waiting: readonly Row[]): readonly string[] {
  const last = new Map<string, number>()
  for (const [seq, write] of waiting) last.set(write ?? '', Number(seq))
  return waiting
    .map(([seq, write]) => ({ seq: seq ?? '', last: last.get(write ?? '') ?? 0 }))
    .sort((one, other) => one.last - other.last || Number(one.seq) - Number(other.seq))
    .map(({ seq }) => seq)
}

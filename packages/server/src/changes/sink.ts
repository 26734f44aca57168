import type { Collection } from '../schema/schema.ts'
import type { InsertRecord } from '../sql/bulk.ts'
import type { Transaction } from '../sql/driver.ts'
import type { Cause, Change, ChangedRow } from './change.ts'

/** The rows that a consumer needs besides key and action. */
export interface Wanted {
  readonly before: boolean
  readonly after: boolean
}

export interface ChangeConsumer {
  /** What the consumer needs of the changes of a collection; null: it ignores them, and they cost nothing. */
  readonly wants: (collection: Collection) => Wanted | null
  /** Runs inside the transaction: if it throws, nothing is written. */
  readonly consume: (changes: readonly Change[], cause: Cause, transaction: Transaction) => Promise<void>
  /**
   * The same for a create that is a single statement: the records that the statement writes itself. null: the consumer
   * has to see the rows first, so such a create uses a transaction.
   */
  readonly inStatement: (collection: Collection) => InsertRecord | null
}

/** Every change of a row passes here, inside its transaction, whatever made it. */
export interface ChangeSink {
  /** The rows that writes to a collection have to return. */
  readonly wants: (collection: Collection) => Wanted
  readonly report: (rows: readonly ChangedRow[], cause: Cause, transaction: Transaction) => Promise<void>
  /** The records that a single-statement create writes itself; null: none. `transaction`: it needs a transaction. */
  readonly inStatement: (collection: Collection) => InsertRecord | 'transaction' | null
  /** The collections whose changes a transaction has reported. */
  readonly changedIn: (transaction: Transaction) => ReadonlySet<Collection>
}

const NOTHING: Wanted = { before: false, after: false }

export function createChangeSink(consumers: readonly ChangeConsumer[]): ChangeSink {
  const wanted = new WeakMap<Collection, Wanted>()
  const reported = new WeakMap<Transaction, number>()
  const changed = new WeakMap<Transaction, Set<Collection>>()

  const wants = (collection: Collection): Wanted => {
    const known = wanted.get(collection)
    if (known !== undefined) return known
    const all = consumers.map((consumer) => consumer.wants(collection) ?? NOTHING)
    const made = { before: all.some(({ before }) => before), after: all.some(({ after }) => after) }
    wanted.set(collection, made)
    return made
  }

  return {
    wants,
    async report(rows, cause, transaction) {
      const first = reported.get(transaction) ?? 0
      reported.set(transaction, first + rows.length)
      const collections = changed.get(transaction) ?? new Set()
      for (const { collection } of rows) collections.add(collection)
      changed.set(transaction, collections)
      for (const { wants: wantsOf, consume } of consumers) {
        const isWanted = new Map<Collection, boolean>()
        const changes: Change[] = []
        for (const [index, row] of rows.entries()) {
          let known = isWanted.get(row.collection)
          if (known === undefined) isWanted.set(row.collection, (known = wantsOf(row.collection) !== null))
          if (known) changes.push({ ...row, actor: cause.by, position: first + index })
        }
        if (changes.length > 0) await consume(changes, cause, transaction)
      }
    },
    changedIn: (transaction) => changed.get(transaction) ?? new Set(),
    inStatement(collection) {
      const listening = consumers.filter((consumer) => consumer.wants(collection) !== null)
      const records = listening.map((consumer) => consumer.inStatement(collection))
      return records.reduce<InsertRecord | 'transaction' | null>(
        (all, record) => (all === 'transaction' || record === null ? 'transaction' : together(all, record)),
        null,
      )
    },
  }
}

const together = (one: InsertRecord | null, other: InsertRecord): InsertRecord =>
  one === null ? other : { ...one, row: one.row ?? other.row, records: [...one.records, ...other.records] }

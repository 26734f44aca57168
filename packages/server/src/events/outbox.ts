import { randomUUID } from 'node:crypto'
import type { Change } from '../changes/change.ts'
import { itemOf, masked, secretNames } from '../changes/recorded-row.ts'
import type { ChangeConsumer } from '../changes/sink.ts'
import { storedRow } from '../changes/stored-row.ts'
import { between, type Failpoints } from '../lib/failpoint.ts'
import type { Collection } from '../schema/schema.ts'
import { typed } from '../schema/typed-column.ts'
import { LARGEST_IMAGE } from '../sql/bulk.ts'
import { bindValues } from '../sql/compile.ts'
import { runSteps, type Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import { stepsOf } from '../sql/sql.ts'
import type { ChangeKind } from './logged-change.ts'

/** Logins and logouts change no row. */
const kinds: Readonly<Record<Change['action'], ChangeKind | null>> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  login: null,
  logout: null,
}

export interface OutboxOptions {
  readonly failpoints: Failpoints | null
  /** Triggers may have told the same changes: theirs make way for those of the service, which know the user. */
  readonly hasTriggers: boolean
}

/** Puts the changes of captured collections into the outbox, in the transaction that makes them. */
export function outboxOf(
  { dialect, events }: Pick<Database, 'dialect' | 'events'>,
  systemSchema: string,
  { failpoints, hasTriggers }: OutboxOptions,
): ChangeConsumer {
  const keep = hasTriggers ? events.keepInstead : events.keep
  const compiled = stepsOf(keep(systemSchema)).map((step, index) => ({
    ...dialect.compile(step),
    name: `o${index}`,
  }))
  const names = new WeakMap<Transaction, string>()

  const nameOf = (transaction: Transaction): string => {
    const name = names.get(transaction) ?? randomUUID()
    names.set(transaction, name)
    return name
  }

  return {
    wants: ({ capturedSince }) => (capturedSince === null ? null : { before: true, after: true }),
    async consume(changes, { by }, transaction) {
      const rows = changes.flatMap((change) => rowOf(change) ?? [])
      if (rows.length === 0) return
      const values = [`[${rows.join(',')}]`, by ?? '', nameOf(transaction)]
      const statements = compiled.map(({ text, binds, name }) => ({
        text,
        name,
        values: bindValues(binds, (parameter) => (typeof parameter === 'number' ? (values[parameter] ?? null) : null)),
      }))
      const send = () => runSteps(statements, transaction)
      await (failpoints === null ? send() : between(failpoints, 'write.before-outbox', 'write.after-outbox', send))
    },
    inStatement(collection) {
      // Secrets are masked here, so the database cannot build the row.
      if (secretNames(collection).length > 0) return null
      return {
        collection: collection.name,
        key: collection.key.map(typed),
        row: storedRow(collection),
        records: ['outbox'],
      }
    },
  }

  function rowOf({ action, collection, key, before, after }: Change): string | null {
    const kind = kinds[action]
    if (kind === null) return null
    const secrets = secretsOf(collection)
    return JSON.stringify({
      collection: collection.name,
      item: itemOf(key, collection, dialect),
      kind,
      before: kept(masked(before, secrets)),
      after: kept(masked(after, secrets)),
    })
  }
}

const known = new WeakMap<Collection, readonly string[]>()

function secretsOf(collection: Collection): readonly string[] {
  const names = known.get(collection) ?? secretNames(collection)
  known.set(collection, names)
  return names
}

const kept = (row: string | null): string | null => (row === null || row.length > LARGEST_IMAGE ? null : row)

import type { Actor } from '../../access/actor.ts'
import type { Transaction } from '../../sql/driver.ts'
import type { Change } from './change.ts'
import type { WriteStatements } from './statements.ts'

/** Where a request came from, as far as activity keeps it. */
export interface Origin {
  readonly ip: string | null
  readonly userAgent: string | null
}

/** Writes activity and revisions of all changes in one statement, where their collections keep them. */
export async function recordChanges(
  changes: readonly Change[],
  actor: Actor,
  origin: Origin,
  systemSchema: string,
  statements: WriteStatements,
  transaction: Transaction,
): Promise<void> {
  const kept = changes.filter(({ collection }) => collection.meta === null || collection.meta.accountability !== null)
  if (kept.length === 0) return
  const rows = kept.map(({ kind, collection, key, snapshot, delta }) =>
    JSON.stringify({
      action: kind,
      collection: collection.name,
      item: key.length === 1 ? key[0] : key.map(encodeURIComponent).join(','),
      data: snapshot === null ? null : RAW,
      delta: null,
    })
      .replace(`"data":"${RAW}"`, () => `"data":${snapshot ?? 'null'}`)
      .replace('"delta":null', () => `"delta":${delta ?? 'null'}`),
  )
  await statements.run(
    'record',
    () => statements.dialect.recordChanges(systemSchema),
    [`[${rows.join(',')}]`, actor.user ?? '', origin.ip ?? '', origin.userAgent ?? ''],
    transaction,
  )
}

/** Stands for JSON that is put in as it is. */
const RAW = '\u0001'

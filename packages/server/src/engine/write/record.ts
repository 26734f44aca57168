import type { FieldType } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { parseExactJson } from '../../lib/exact-json.ts'
import { joinedKey } from '../../query/keys.ts'
import type { Collection } from '../../schema/schema.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { Transaction } from '../../sql/driver.ts'
import { typed } from '../columns.ts'
import { MASK } from '../mask.ts'
import type { Change } from './change.ts'
import type { WriteStatements } from './statements.ts'

/** The origin of a request, as activity stores it. */
export interface Origin {
  readonly ip: string | null
  readonly userAgent: string | null
}

/** Writes activity and revisions in one statement, for all changes whose collections keep them. */
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
  const secretsOf = new Map<Collection, readonly string[]>()
  const rows = kept.map(({ kind, collection, key, snapshot, delta }) => {
    const secrets = secretsOf.get(collection) ?? secretNames(collection)
    secretsOf.set(collection, secrets)
    const item = joinedKey(shownKey(key, collection, statements.dialect))
    const what = JSON.stringify({ action: kind, collection: collection.name, item })
    return `${what.slice(0, -1)},"data":${masked(snapshot, secrets)},"delta":${masked(delta, secrets)}}`
  })
  await statements.run(
    'record',
    () => statements.dialect.recordChanges(systemSchema),
    [`[${rows.join(',')}]`, actor.user ?? '', origin.ip ?? '', origin.userAgent ?? ''],
    transaction,
  )
}

/** Types whose values have a different form in responses than in the output of the database. */
const reshaped: ReadonlySet<FieldType> = new Set(['timestamp', 'dateTime', 'time', 'binary'])

/** Converts a key from the output of the database to the form in responses, so that it can be searched for. */
function shownKey(key: readonly string[], collection: Collection, { formOf }: Dialect): readonly string[] {
  if (!collection.key.some(({ type }) => reshaped.has(type))) return key
  return collection.key.map((field, index) => {
    const text = key[index] ?? ''
    return reshaped.has(field.type) ? (JSON.parse(formOf(typed(field)).write(text)) as string) : text
  })
}

/** Rows with secrets need masked revisions, so the service builds them instead of the database. */
export const hasSecrets = (collection: Collection): boolean => secretNames(collection).length > 0

const secretNames = ({ columns }: Collection): string[] =>
  [...columns.values()].flatMap(({ name, specials }) => (specials.includes('conceal') ? [name] : []))

/** Masks secrets, because other users may read revisions. */
function masked(json: string | null, secrets: readonly string[]): string {
  if (json === null || secrets.length === 0) return json ?? 'null'
  const row = parseExactJson(json) as Record<string, unknown>
  for (const name of secrets) if (row[name] !== undefined && row[name] !== null) row[name] = MASK
  return JSON.stringify(row)
}

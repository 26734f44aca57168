import type { CollectionMeta, FieldMeta, RelationMeta } from '@tain/contract'
import { run, type Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import type { StoredName } from '../sql/service/names.ts'

/** The content of the metadata tables, as plain values. */
export interface Overlay {
  readonly version: number
  readonly collections: readonly CollectionMeta[]
  readonly fields: readonly FieldMeta[]
  readonly relations: readonly RelationMeta[]
  /** The remembered names. */
  readonly names: readonly StoredName[]
  /** Collections whose changes are listened to, and the position of the log since when; absent: none. */
  readonly listened?: ReadonlyMap<string, number>
}

export const emptyOverlay: Overlay = { version: 0, collections: [], fields: [], relations: [], names: [] }

export async function readOverlay(
  transaction: Transaction,
  { dialect, serviceTables }: Pick<Database, 'dialect' | 'serviceTables'>,
  systemSchema: string,
): Promise<Overlay> {
  const [row] = await run(serviceTables.overlay(systemSchema), transaction, dialect)
  const parse = <T>(text: string | null | undefined) => JSON.parse(text ?? '[]') as T[]
  const fields = parse<FieldMeta & { display_options: unknown }>(row?.[2]).map((field) => ({
    ...field,
    display_options: field.display_options === null ? null : JSON.stringify(field.display_options),
  }))
  return {
    version: Number(row?.[0] ?? 0),
    collections: parse<CollectionMeta>(row?.[1]),
    fields,
    relations: parse<RelationMeta>(row?.[3]),
    names: parse<StoredName>(row?.[4]),
    listened: new Map(
      parse<{ collection: string; since: number }>(row?.[5]).map(({ collection, since }) => [collection, since]),
    ),
  }
}

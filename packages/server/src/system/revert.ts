import { MASK, forbidden } from '@tain/contract'
import { revisions } from '@tain/contract/collections'
import type { Actor } from '../access/actor.ts'
import type { Engine } from '../engine/engine.ts'
import type { Origin } from '../changes/change.ts'
import { parseExactJson } from '../lib/exact-json.ts'
import type { Payload } from '../query/mutation.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import { findCollection, type Collection, type ColumnField } from '../schema/schema.ts'

interface Revision {
  readonly collection: string
  readonly item: string
  readonly data: Payload | null
}

/** Restores an item from a revision. FORBIDDEN if the caller may not read the revision or update the item. */
export async function revertItem(
  revision: string,
  actor: Actor,
  origin: Origin,
  isDryRun: boolean,
  { engine, limits }: { readonly engine: Engine; readonly limits: QueryLimits },
): Promise<void> {
  const { collection: name, item, data } = await readRevision(revision, actor, engine, limits)
  const collection = findCollection(engine.schema(), name)
  if (collection === undefined || data === null) throw forbidden()
  const mutation = {
    kind: 'update',
    collection: name,
    target: { kind: 'keys', keys: [item] },
    data: restored(data, collection),
  } as const
  await engine.write(actor, [{ mutation, read: null, ifMatch: null, origin }], { isDryRun, claim: null })
}

async function readRevision(key: string, actor: Actor, engine: Engine, limits: QueryLimits): Promise<Revision> {
  const { query, values } = parseQuery({ fields: ['collection', 'item', 'data'] }, limits)
  const read = { query, queryKey: JSON.stringify(query), values, meta: [], cursor: null, key: [key] }
  const found = await engine.item(actor, { ...read, collection: revisions.name, isSystem: true })
  return parseExactJson(found.data) as Revision
}

/**
 * Values that the row still accepts: columns may have been dropped, generated ones cannot be set, secrets were not
 * stored.
 */
function restored(data: Payload, { columns, key }: Collection): Payload {
  const fields = [...columns.values()].filter(
    (field) =>
      data[field.name] !== undefined &&
      data[field.name] !== MASK &&
      field.column.generationExpression === null &&
      !key.includes(field),
  )
  return Object.fromEntries(fields.map((field) => [field.name, sent(data[field.name], field)]))
}

/** Older revisions hold bytes as the database prints them: hexadecimal digits after a prefix that Base64 cannot have. */
const sent = (value: unknown, { type }: ColumnField): unknown =>
  type === 'binary' && typeof value === 'string' && value.startsWith('\\x')
    ? Buffer.from(value.slice(2), 'hex').toString('base64')
    : value

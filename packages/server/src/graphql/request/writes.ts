import type { FieldNode, GraphQLField } from 'graphql'
import { addressOf } from '../../engine/address.ts'
import { showingMany, showingNothing, showingOne, type ItemWrite } from '../../engine/items/item-write.ts'
import { deletedKeys, shownRows, targetLimits, writeOne, writeRequest } from '../../engine/items/write-items.ts'
import { queryTarget } from '../../engine/items/write-target.ts'
import type { Origin } from '../../changes/change.ts'
import type { WriteReply } from '../../engine/write/write-request.ts'
import type { Payload, Target } from '../../query/mutation.ts'
import { collectValues } from '../../query/values.ts'
import type { Collection } from '../../schema/schema.ts'
import { setsOf } from './collect.ts'
import type { Meaning } from '../schema/field-mapping.ts'
import { payloadOf } from './payload.ts'
import type { Projection } from './write-result.ts'
import type { ReadContext } from './reads.ts'
import { deleteMany, deleteOne } from '../schema/shared-types.ts'
import type { Arguments } from './selected-query.ts'
import { argumentsOf, nestedOf, selectedQuery, selectionToQuery } from './selection-to-query.ts'

type MutationMeaning = Extract<Meaning, { kind: 'mutation' }>

export interface WriteContext extends ReadContext {
  readonly origin: Origin
  /** Runs everything, then rolls back. */
  readonly isDryRun: boolean
  readonly projection: Projection
}

/** Runs a mutation field: one write, read back through the ordinary read. */
export async function runMutation(
  meaning: MutationMeaning,
  field: GraphQLField,
  nodes: readonly FieldNode[],
  context: WriteContext,
): Promise<string> {
  const [node] = nodes
  if (node === undefined) throw new TypeError('a root field has a node')
  const { collection, role, isReadable } = meaning
  const args = argumentsOf(field, node, context)
  const write = writeOf(role, args, collection, context)
  const isDelete = write.mutation.kind === 'delete'
  const shown = isReadable ? write : showingNothing(write.mutation)
  const { engine, actor, origin, isDryRun } = context
  const selected = () => selectionToQuery(shaping(role, args), setsOf(nodes), collection, context)
  const reply = await writeOne(engine, actor, writeRequest(shown, selected, origin), isDryRun)
  if (isDelete) return deleted(role, args, reply, nodes, context)
  if (!isReadable) return 'true'
  const rows = shownRows(shown, reply) ?? []
  return shown.shows === 'many' ? `[${rows.join(',')}]` : (rows[0] ?? 'null')
}

type Role = MutationMeaning['role']

const shapers = new Set(['filter', 'sort', 'limit', 'offset', 'page', 'search'])

/** In a change by query, the arguments select the items; elsewhere they shape the result. */
const shaping = (role: Role, args: Arguments): Arguments =>
  role === 'updateByQuery' ? {} : Object.fromEntries(Object.entries(args).filter(([name]) => shapers.has(name)))

function writeOf(role: Role, args: Arguments, collection: Collection, context: WriteContext): ItemWrite {
  const { schema } = context.types.visibility
  const root = addressOf(collection)
  const payload = (given: unknown): Payload => payloadOf((given ?? {}) as Payload, collection, schema)
  const payloads = (): Payload[] => ((args['data'] ?? []) as readonly unknown[]).map(payload)
  const keys = (given: unknown): Target => ({ kind: 'keys', keys: (given ?? []) as readonly unknown[] })
  switch (role) {
    case 'createItems':
      return showingMany({ ...root, kind: 'create', items: payloads() })
    case 'createItem':
      return showingOne({ ...root, kind: 'create', items: [payload(args['data'])] })
    case 'updateItems':
      return showingMany({ ...root, kind: 'update', target: keys(args['ids']), data: payload(args['data']) })
    case 'updateBatch':
      return showingMany({ ...root, kind: 'update-each', items: payloads() })
    case 'updateItem':
      return showingOne({ ...root, kind: 'update', target: keys([args['id']]), data: payload(args['data']) })
    case 'updateByQuery':
      return showingMany({
        ...root,
        kind: 'update',
        target: queried(args, collection, context),
        data: payload(args['data']),
      })
    case 'updateSingleton':
      return showingOne({ ...root, kind: 'singleton', data: payload(args['data']) })
    case 'upsertItems': {
      const on = args['on_conflict']
      return showingMany({ ...root, kind: 'upsert', items: payloads(), on: typeof on === 'string' ? on : null })
    }
    case 'deleteItems':
      return showingNothing({ ...root, kind: 'delete', target: keys(args['ids']) })
    case 'deleteItem':
      return showingNothing({ ...root, kind: 'delete', target: keys([args['id']]) })
    case 'deleteByQuery':
      return showingNothing({ ...root, kind: 'delete', target: queried(args, collection, context) })
  }
}

function queried(args: Arguments, collection: Collection, context: WriteContext): Target {
  const values = collectValues(context.spend)
  const chosen = Object.fromEntries(Object.entries(args).filter(([name]) => shapers.has(name)))
  const limits = targetLimits(context.limits)
  const nested = nestedOf(chosen, collection, 0, values, { ...context, limits })
  return queryTarget(selectedQuery({ ...nested, select: [] }, values.list), args['all'] === true, collection)
}

function deleted(
  role: Role,
  args: Arguments,
  reply: WriteReply | undefined,
  nodes: readonly FieldNode[],
  { projection }: WriteContext,
): string {
  if (role === 'deleteItem') return projection.text({ id: args['id'] }, deleteOne, nodes)
  const ids = role === 'deleteItems' ? args['ids'] : deletedKeys(reply).map(idOf)
  return projection.text({ ids }, deleteMany, nodes)
}

/** A key as an ID, which is a text: numbers keep all their digits. */
const idOf = (json: string): string | null => (/^["n]/u.test(json) ? (JSON.parse(json) as string | null) : json)

import type { FieldNode, GraphQLField } from 'graphql'
import { isReplay } from '../engine/write/idempotency.ts'
import type { Origin } from '../engine/write/record.ts'
import type { WriteReply, WriteRequest } from '../engine/write/request.ts'
import type { Mutation, Payload, Target } from '../query/mutation.ts'
import { collectValues } from '../query/values.ts'
import type { Collection } from '../schema/schema.ts'
import { setsOf } from './collect.ts'
import type { Meaning } from './field-mapping.ts'
import { payloadOf } from './payload.ts'
import type { Projection } from './write-result.ts'
import { named, type ReadContext } from './reads.ts'
import { deleteMany, deleteOne } from './shared-types.ts'
import { argumentsOf, nestedOf, selectedQuery, selectionToQuery, type Arguments } from './selection-to-query.ts'

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
  const mutation = mutationOf(role, args, collection, context)
  const isDelete = mutation.kind === 'delete'
  const read =
    isDelete || !isReadable ? null : selectionToQuery(shaping(role, args), setsOf(nodes), collection, context)
  const request: WriteRequest = { mutation, read, ifMatch: null, origin: context.origin }
  const { engine, actor, isDryRun } = context
  const result = await engine.write(actor, [request], { isDryRun, claim: null })
  const [reply] = isReplay(result) ? [] : result
  if (isDelete) return deleted(role, args, collection, reply, nodes, context)
  if (!isReadable) return 'true'
  const rows = reply?.rows ?? []
  return isList(role) ? `[${rows.join(',')}]` : (rows[0] ?? 'null')
}

type Role = MutationMeaning['role']

const lists: ReadonlySet<Role> = new Set(['createItems', 'updateItems', 'updateBatch', 'updateByQuery', 'upsertItems'])

const isList = (role: Role) => lists.has(role)

const shapers = new Set(['filter', 'sort', 'limit', 'offset', 'page', 'search'])

/** In a change by query, the arguments select the items; elsewhere they shape the result. */
const shaping = (role: Role, args: Arguments): Arguments =>
  role === 'updateByQuery' ? {} : Object.fromEntries(Object.entries(args).filter(([name]) => shapers.has(name)))

function mutationOf(role: Role, args: Arguments, collection: Collection, context: WriteContext): Mutation {
  const { schema } = context.types.visibility
  const root = named(collection)
  const payload = (given: unknown): Payload => payloadOf((given ?? {}) as Payload, collection, schema)
  const payloads = (): Payload[] => ((args['data'] ?? []) as readonly unknown[]).map(payload)
  const keys = (given: unknown): Target => ({ kind: 'keys', keys: (given ?? []) as readonly unknown[] })
  switch (role) {
    case 'createItems':
      return { ...root, kind: 'create', items: payloads() }
    case 'createItem':
      return { ...root, kind: 'create', items: [payload(args['data'])] }
    case 'updateItems':
      return { ...root, kind: 'update', target: keys(args['ids']), data: payload(args['data']) }
    case 'updateBatch':
      return { ...root, kind: 'update-each', items: payloads() }
    case 'updateItem':
      return { ...root, kind: 'update', target: keys([args['id']]), data: payload(args['data']) }
    case 'updateByQuery':
      return { ...root, kind: 'update', target: queried(args, collection, context), data: payload(args['data']) }
    case 'updateSingleton':
      return { ...root, kind: 'singleton', data: payload(args['data']) }
    case 'upsertItems': {
      const on = args['on_conflict']
      return { ...root, kind: 'upsert', items: payloads(), on: typeof on === 'string' ? on : null }
    }
    case 'deleteItems':
      return { ...root, kind: 'delete', target: keys(args['ids']) }
    case 'deleteItem':
      return { ...root, kind: 'delete', target: keys([args['id']]) }
    case 'deleteByQuery':
      return { ...root, kind: 'delete', target: queried(args, collection, context) }
  }
}

/** Without a limit, the target is every match instead of one page. */
function queried(args: Arguments, collection: Collection, context: WriteContext): Target {
  const values = collectValues(context.spend)
  const chosen = Object.fromEntries(Object.entries(args).filter(([name]) => shapers.has(name)))
  const limits = { ...context.limits, limitDefault: -1, limitMax: null }
  const nested = nestedOf(chosen, collection, 0, values, { ...context, limits })
  return { kind: 'query', ...selectedQuery({ ...nested, select: [] }, values.list) }
}

function deleted(
  role: Role,
  args: Arguments,
  collection: Collection,
  reply: WriteReply | undefined,
  nodes: readonly FieldNode[],
  { projection }: WriteContext,
): string {
  if (role === 'deleteItem') return projection.text({ id: args['id'] }, deleteOne, nodes)
  const joined = (key: readonly string[]) =>
    collection.key.length === 1 ? (key[0] ?? '') : key.map(encodeURIComponent).join(',')
  const ids = role === 'deleteItems' ? args['ids'] : (reply?.keys ?? []).map(joined)
  return projection.text({ ids }, deleteMany, nodes)
}

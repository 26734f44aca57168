import { forbidden, invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { isExactNumber } from '../../lib/exact-json.ts'
import { authorizeCollection, authorizeTree } from '../../access/authorize-write.ts'
import { between, type Failpoints } from '../../lib/failpoint.ts'
import {
  bindCreate,
  bindSave,
  bindUpdate,
  bindUpdateAll,
  startTree,
  type WriteContext,
} from '../../query/bind-write.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import { keyParts } from '../../query/keys.ts'
import type { Mutation, Payload, Target } from '../../query/mutation.ts'
import { collectionNamed, noCollection } from '../../query/resolve.ts'
import type { Collection, ColumnField, Schema } from '../../schema/schema.ts'
import { ValueError } from '../../sql/dialect.ts'
import type { Transaction } from '../../sql/driver.ts'
import type { CompileRead } from '../compile-read.ts'
import { tableOf, typed } from '../columns.ts'
import { VERSION } from '../plan-read.ts'
import { itemReply, keysReply, listReply, prepareRead, type Prepared, type Read } from '../read.ts'
import type { Change } from './change.ts'
import { completeTree, hashTree } from './complete.ts'
import { recordChanges, type Origin } from './record.ts'
import { runTree } from './run-tree.ts'
import { moveItem } from './sort.ts'
import { recordset, shapeOf, type WriteStatements } from './statements.ts'

/** How the answer of a write is read, and the conditions it stands under. */
export interface WriteRequest {
  readonly mutation: Mutation
  /** Shapes the answer; null when none is wanted. */
  readonly read: Omit<Read, 'collection' | 'key' | 'meta' | 'cursor'> | null
  /** The mark of the row that the caller has seen; only with one key. */
  readonly ifMatch: readonly string[] | null
  readonly origin: Origin
}

export interface WriteReply {
  /** Items as JSON texts, in the order they were sent. */
  readonly rows: readonly string[]
  readonly rowVersion: string | null
}

export interface WriteServices {
  readonly statements: WriteStatements
  readonly compileRead: CompileRead
  readonly systemSchema: string
  readonly maxBatch: number
  readonly limitDefault: number
  readonly failpoints: Failpoints | null
}

/** The schema the write was bound to is not the newest any more. */
export class OutdatedSchema extends Error {
  readonly version: number

  constructor(version: number) {
    super('the schema has changed')
    this.name = 'OutdatedSchema'
    this.version = version
  }
}

interface Run {
  readonly request: WriteRequest
  readonly actor: Actor
  readonly schema: Schema
  readonly services: WriteServices
  readonly transaction: Transaction
}

/** One write inside a transaction: lock, check, write, record, read back. */
export async function runWrite(run: Run): Promise<WriteReply> {
  const { request, schema, services, actor, transaction } = run
  const { mutation } = request
  const collection = collectionNamed(mutation.collection, { schema, at: 'root', limitDefault: services.limitDefault })
  if (actor.readGrant(collection) === null && !actor.mayWrite(collection, 'create')) throw noCollection(collection.name)
  const { keys, changes } =
    mutation.kind === 'delete'
      ? await runDelete(mutation.target, collection, run)
      : mutation.kind === 'sort'
        ? await runSort(mutation, collection, run)
        : await runChange(mutation, collection, run)
  await recordChanges(changes, actor, request.origin, services.systemSchema, services.statements, transaction)
  return readBack(keys, collection, run)
}

interface Done {
  readonly keys: readonly (readonly string[])[]
  readonly changes: readonly Change[]
}

async function runChange(
  mutation: Exclude<Mutation, { kind: 'delete' | 'sort' }>,
  collection: Collection,
  run: Run,
): Promise<Done> {
  const { services, transaction, actor } = run
  const context = writeContext(run.schema, actor, services)
  const roots = await bindMutation(mutation, collection, context, run)
  const { tree } = context
  const total = tree.nodes.length
  if (total > services.maxBatch) throw invalidPayload(`Exceeded max batch mutation limit of ${services.maxBatch}`)
  authorizeTree(tree, actor)
  completeTree(tree, actor)
  await hashTree(tree)
  const { keyOf, changes } = await runTree(tree, { statements: services.statements, transaction, context })
  return { keys: roots.map(keyOf), changes }
}

export function writeContext(schema: Schema, actor: Actor, services: WriteServices): WriteContext {
  return {
    schema,
    tree: startTree(),
    authorize: (tree) => authorizeTree(tree, actor),
    complete: (tree) => completeTree(tree, actor),
    encode: (field, value, path) => encode(field, value, path, services),
  }
}

function encode(field: ColumnField, value: unknown, path: readonly string[], { statements }: WriteServices): string {
  try {
    return statements.dialect.payloadValue(value, typed(field))
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    const details = { field: field.name, path: [...path] }
    if (error.fault === 'too-long')
      throw new ServiceError('VALUE_TOO_LONG', `Value for field "${field.name}" is too long.`, details)
    if (error.fault === 'out-of-range')
      throw new ServiceError('VALUE_OUT_OF_RANGE', `Value for field "${field.name}" is out of range.`, details)
    throw new ServiceError('INVALID_PAYLOAD', `Invalid payload. "${field.name}" ${error.message}.`, details)
  }
}

async function bindMutation(
  mutation: Exclude<Mutation, { kind: 'delete' | 'sort' }>,
  collection: Collection,
  context: WriteContext,
  run: Run,
): Promise<WriteNode[]> {
  switch (mutation.kind) {
    case 'create':
      authorizeCollection(collection, 'create', run.actor)
      return mutation.items.map((item) => bindCreate(item, collection, [], context))
    case 'update': {
      authorizeCollection(collection, 'update', run.actor)
      const keys = await targetKeys(mutation.target, collection, run)
      await checkMatch(keys, collection, run)
      return bindUpdateAll(keys, mutation.data, collection, context)
    }
    case 'update-each':
      authorizeCollection(collection, 'update', run.actor)
      return mutation.items.map((item) => bindUpdate(ownKey(item, collection), item, collection, [], context))
    case 'singleton': {
      authorizeCollection(collection, 'update', run.actor)
      const [key] = await firstKey(collection, run)
      return [
        key === undefined
          ? bindCreate(mutation.data, collection, [], context)
          : bindUpdate(key, mutation.data, collection, [], context),
      ]
    }
    case 'upsert':
      authorizeCollection(collection, 'update', run.actor)
      return mutation.on === null
        ? mutation.items.map((item) =>
            hasKey(item, collection)
              ? bindSave(ownKey(item, collection), item, collection, [], context)
              : bindCreate(item, collection, [], context),
          )
        : bindByField(mutation.items, mutation.on, collection, context, run)
  }
}

export const hasKey = (item: Payload, { key }: Collection) =>
  key.length > 0 &&
  key.every(({ name }) => item[name] !== undefined && (typeof item[name] !== 'object' || isExactNumber(item[name])))

export function ownKey(item: Payload, collection: Collection): string[] {
  if (!hasKey(item, collection)) throw invalidPayload('Item in update misses primary key')
  const [only] = collection.key
  return keyParts(
    collection.key.length === 1 && only !== undefined
      ? item[only.name]
      : Object.fromEntries(collection.key.map(({ name }) => [name, item[name]])),
    collection,
  )
}

/** Rows are found by a unique field; what is not found is created. */
async function bindByField(
  items: readonly Payload[],
  on: string,
  collection: Collection,
  context: WriteContext,
  run: Run,
): Promise<WriteNode[]> {
  const field = collection.columns.get(on)
  const isUnique = collection.uniques.some((columns) => columns.length === 1 && columns[0] === on)
  if (field === undefined || !isUnique) throw invalidQuery(`"${on}" is no unique field of "${collection.name}"`)
  const cells = items.map((item) => {
    if (item[on] === undefined || item[on] === null) throw invalidPayload(`Each item needs "${on}"`)
    return [context.encode(field, item[on], [])]
  })
  const { statements } = run.services
  const rows = await statements.run(
    `find ${shapeOf(collection, [field, ...collection.key])}`,
    () =>
      statements.dialect.bulk.find(
        tableOf(collection),
        { columns: [typed(field)], slot: 0 },
        collection.key.map(({ name }) => name),
      ),
    [recordset(cells)],
    run.transaction,
  )
  const found = new Map(rows.map((row) => [Number(row[0]) - 1, collection.key.map((_, index) => row[1 + index] ?? '')]))
  return items.map((item, index) => {
    const key = found.get(index)
    return key === undefined
      ? bindCreate(item, collection, [], context)
      : bindUpdate(key, item, collection, [], context)
  })
}

// targets

async function targetKeys(target: Target, collection: Collection, run: Run): Promise<string[][]> {
  if (target.kind !== 'query') {
    const parts =
      target.kind === 'parts' ? target.keys.map((key) => [...key]) : target.keys.map((key) => keyParts(key, collection))
    if (parts.some((key) => key.length !== collection.key.length)) throw forbidden()
    return [...new Map(parts.map((key) => [JSON.stringify(key), key])).values()]
  }
  const { maxBatch } = run.services
  const wanted = target.query.limit
  const limit = wanted < 0 || wanted > maxBatch ? maxBatch + 1 : wanted
  const query = { ...target.query, select: [], limit }
  const keys = await findKeys({ query, queryKey: JSON.stringify(query), values: target.values }, collection, run)
  if (keys.length > maxBatch) throw invalidQuery(`The query matches more than ${maxBatch} items; nothing was changed`)
  return keys
}

const plain = {
  select: [],
  filter: null,
  search: null,
  sort: null,
  offset: null,
  aggregate: null,
  backlink: true,
  alias: {},
  deep: {},
}

const firstKey = (collection: Collection, run: Run): Promise<string[][]> => {
  const query = { ...plain, limit: 1 }
  return findKeys({ query, queryKey: JSON.stringify(query), values: [] }, collection, run)
}

async function findKeys(
  read: Pick<Read, 'query' | 'queryKey' | 'values'>,
  collection: Collection,
  run: Run,
): Promise<string[][]> {
  const prepared = prepare(
    { ...read, collection: collection.name, meta: [], cursor: null, key: null, wantsKeys: true },
    run,
  )
  return keysReply(prepared, await ask(prepared, run))
}

const prepare = (read: Read, { actor, schema, services }: Run): Prepared =>
  prepareRead(actor, read, schema, services.compileRead)

async function ask({ compiled, values }: Prepared, { transaction, schema, services }: Run) {
  const rows = await between(services.failpoints, 'write.before-read', 'write.after-read', () =>
    transaction.query({ text: compiled.statement.text, values, name: compiled.name }),
  )
  const version = Number(rows[0]?.[VERSION])
  if (version !== schema.version) throw new OutdatedSchema(version)
  return rows
}

/** Under the lock, the row must be the one the caller has seen. */
async function checkMatch(
  keys: readonly (readonly string[])[],
  collection: Collection,
  { request, services, transaction }: Run,
): Promise<void> {
  const [key] = keys
  if (request.ifMatch === null || key === undefined) return
  const { statements } = services
  const rows = await statements.run(
    `match ${shapeOf(collection, collection.key)}`,
    () =>
      statements.dialect.bulk.lock(
        tableOf(collection),
        { columns: collection.key.map(typed), slot: 0 },
        [statements.dialect.rowVersion('t')],
        't',
        'change',
      ),
    [recordset([key.map((part) => JSON.stringify(part))])],
    transaction,
  )
  const [row] = rows
  if (row === undefined) throw forbidden()
  if (!request.ifMatch.includes('*') && !request.ifMatch.includes(`"${row[1] ?? ''}"`))
    throw new ServiceError('PRECONDITION_FAILED')
}

async function runDelete(target: Target, collection: Collection, run: Run): Promise<Done> {
  authorizeCollection(collection, 'delete', run.actor)
  const keys = await targetKeys(target, collection, run)
  await checkMatch(keys, collection, run)
  if (keys.length === 0) return { keys: [], changes: [] }
  const { statements } = run.services
  const names = collection.key.map(({ name }) => name)
  const cells = keys.map((key) => collection.key.map((field, index) => encodeKey(field, key[index] ?? '', run)))
  const rows = await statements.run(
    `delete ${shapeOf(collection, collection.key)}`,
    () =>
      statements.dialect.bulk.remove({
        table: tableOf(collection),
        set: { columns: collection.key.map(typed), slot: 0 },
        match: names,
        kept: null,
        keptMatch: [],
        nullify: null,
        returning: names.map((name) => statements.dialect.bulk.column('t', name)),
        alias: 't',
      }),
    [recordset(cells)],
    run.transaction,
  )
  if (rows.length !== keys.length) throw forbidden()
  return { keys: [], changes: keys.map((key) => ({ kind: 'delete', collection, key, snapshot: null, delta: null })) }
}

async function runSort(mutation: Extract<Mutation, { kind: 'sort' }>, collection: Collection, run: Run): Promise<Done> {
  authorizeCollection(collection, 'update', run.actor)
  await moveItem(mutation, collection, {
    statements: run.services.statements,
    transaction: run.transaction,
    encodeKey: (field, part) => encodeKey(field, part, run),
    visible: async (keys) => {
      const query = { ...plain, limit: -1 }
      const read = { query, queryKey: JSON.stringify(query), values: [], meta: [], cursor: null, key: null, keys }
      const prepared = prepare({ ...read, collection: collection.name, wantsKeys: true }, run)
      return keysReply(prepared, await ask(prepared, run)).length
    },
  })
  return { keys: [], changes: [] }
}

function encodeKey(field: ColumnField, part: string, { services }: Run): string {
  try {
    return services.statements.dialect.payloadValue(part, typed(field))
  } catch {
    throw forbidden()
  }
}

// the answer

/** What was written, read as anybody would read it, in the order it was sent. */
async function readBack(keys: readonly (readonly string[])[], collection: Collection, run: Run): Promise<WriteReply> {
  const { read } = run.request
  const nothing: WriteReply = { rows: [], rowVersion: null }
  if (read === null || keys.length === 0) return nothing
  if (run.actor.readGrant(collection) === null) return nothing
  const [only] = keys
  const base = { ...read, collection: collection.name, meta: [], cursor: null }
  if (keys.length === 1 && only !== undefined) {
    const prepared = prepare({ ...base, key: only }, run)
    const item = itemReply(prepared, await ask(prepared, run))
    return { rows: [item.data], rowVersion: item.rowVersion }
  }
  const set = recordset(keys.map((key) => key.map((part) => JSON.stringify(part))))
  const prepared = prepare({ ...base, key: null, keys: set }, run)
  return { rows: listReply(prepared, await ask(prepared, run)).rows, rowVersion: null }
}

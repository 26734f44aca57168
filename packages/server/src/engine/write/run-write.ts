import { forbidden, invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { authorizeCollection, authorizeNode, mustSee, namedFields, presetsFor } from '../../access/authorize-write.ts'
import type { Access, GrantCache } from '../../access/grants.ts'
import type { Fits } from '../../access/simplify-rule.ts'
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
import type { CostLimits } from '../../query/cost.ts'
import { keyParts } from '../../query/keys.ts'
import type { Mutation, Payload, Target } from '../../query/mutation.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import type { Row, Transaction } from '../../sql/driver.ts'
import { sql } from '../../sql/sql.ts'
import type { CompileRead } from '../compile-read.ts'
import type { PermissionStore } from '../permission-store.ts'
import { rowVersionOf, tableOf, typed } from '../columns.ts'
import { VERSION } from '../plan-read.ts'
import { isCurrent } from '../versions.ts'
import { itemReply, keysReply, listReply, prepareRead, statementFor, type Prepared, type Read } from '../read.ts'
import type { Change } from './change.ts'
import { completeEmptied, completeKeys, completeSave, completeTree, hashTree } from './complete.ts'
import { encodeKey, encodeValue } from './encode.ts'
import type { Guarding, Watch } from './guards.ts'
import { StaleVersionError } from './stale-version.ts'
import { recordChanges, type Origin } from './record.ts'
import { checkRows, type RuleCheck } from './row-rules.ts'
import { rootOf } from './root.ts'
import { runTree } from './run-tree.ts'
import { skipped } from './skipped.ts'
import { moveItem } from './sort.ts'
import { hasKey, ownKey } from './own-key.ts'
import { recordset, statementKey, type WriteStatements } from './statements.ts'
import { checkTransactions, type Extent } from './transactions.ts'

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
  /** Something was written that the caller may not read. */
  readonly isHidden: boolean
  readonly rowVersion: string | null
  /** Keys of what was deleted. */
  readonly keys?: readonly (readonly string[])[]
}

export interface WriteServices {
  readonly statements: WriteStatements
  readonly compileRead: CompileRead
  readonly systemSchema: string
  readonly maxBatch: number
  readonly limitDefault: number
  readonly cost: CostLimits
  readonly fits: Fits
  readonly grants: GrantCache
  readonly failpoints: Failpoints | null
  /** Whether callers get the text that triggers and functions of the database raise. */
  readonly showsRaised: boolean
  readonly guarding: Guarding
  /** What this process knows of rights; null where there are none. */
  readonly permissionStore: PermissionStore | null
}

interface Run {
  /** Whether a statement has brought the versions back yet, and whether something was written that no rollback undoes. */
  readonly seen: { isCurrent: boolean; isKept: boolean }
  readonly extent: Extent
  readonly request: WriteRequest
  readonly actor: Actor
  readonly schema: Schema
  readonly services: WriteServices
  readonly transaction: Transaction
  readonly watch: Watch
}

/** One write inside a transaction: lock, check, write, record, read back. */
export async function runWrite(run: Run): Promise<WriteReply> {
  const { request, schema, services, actor, transaction } = run
  const { mutation } = request
  const collection = rootOf(mutation, schema, actor)
  const { keys, changes, deleted } =
    mutation.kind === 'delete'
      ? await runDelete(mutation.target, collection, run)
      : mutation.kind === 'sort'
        ? await runSort(mutation, collection, run)
        : await runChange(mutation, collection, run)
  const all = await run.watch.after(changes)
  await recordChanges(all, actor, request.origin, services.systemSchema, services.statements, transaction)
  const reply = await readBack(keys, collection, run)
  if (!run.seen.isCurrent) await checkVersions(run)
  return deleted === undefined ? reply : { ...reply, keys: deleted }
}

/** Nothing is kept that was decided under an older structure or older rights. */
export async function checkVersions({
  schema,
  actor,
  services,
  transaction,
  seen,
}: Pick<Run, 'schema' | 'actor' | 'services' | 'transaction' | 'seen'>): Promise<void> {
  const { statements, systemSchema } = services
  const [row] = await statements.run(
    'read stamp',
    () => sql`select v.stamp from ${statements.dialect.versionTable(systemSchema)} as v`,
    [],
    transaction,
  )
  const stamp = row?.[0] ?? ''
  if (!isCurrent(stamp, schema, actor)) throw new StaleVersionError(stamp)
  seen.isCurrent = true
}

interface Done {
  readonly keys: readonly (readonly string[])[]
  readonly changes: readonly Change[]
  /** Keys of what is gone, as they were asked for. */
  readonly deleted?: readonly (readonly string[])[]
}

async function runChange(
  mutation: Exclude<Mutation, { kind: 'delete' | 'sort' }>,
  collection: Collection,
  run: Run,
): Promise<Done> {
  const { services, transaction, actor } = run
  const context = writeContext(run.schema, actor, services, run.watch)
  const roots = await bindMutation(mutation, collection, context, run)
  const { tree } = context
  const total = tree.nodes.length
  if (total > services.maxBatch) throw invalidPayload(`Exceeded max batch mutation limit of ${services.maxBatch}`)
  context.authorize(tree)
  completeTree(tree, actor)
  await context.settle(tree)
  const access = accessOf(run)
  const { extent, seen } = run
  // What cannot be taken back is not written under an older structure or older rights.
  const isKept = tree.nodes.some((node) => !node.collection.isTransactional)
  if (isKept) await checkVersions(run)
  const { keyOf, changes } = await runTree(tree, {
    statements: services.statements,
    transaction,
    context,
    access,
    extent,
  })
  seen.isKept ||= isKept && changes.length > 0
  return { keys: roots.map(keyOf), changes }
}

const accessOf = ({ actor, schema, services: { fits, grants } }: Run): Access => ({ actor, schema, fits, grants })

export function writeContext(schema: Schema, actor: Actor, services: WriteServices, watch: Watch): WriteContext {
  return {
    schema,
    tree: startTree(),
    authorize: (tree) => {
      for (const node of tree.nodes) authorizeNode(node, actor)
    },
    complete: (tree) => completeTree(tree, actor),
    completeSave: (node, action) => completeSave(node, action, actor),
    completeEmptied: (removal) => completeEmptied(removal, actor),
    completeKeys: (node, action, keys) => completeKeys(node, action, keys, actor),
    fields: (action, collection) => namedFields(action, collection, actor),
    presets: (action, collection) => presetsFor(action, collection, actor),
    mayUse: actor.mayUse,
    mustSee: (collection) => mustSee(collection, actor),
    settle: async (tree) => {
      await watch.before(tree)
      await hashTree(tree)
    },
    encode: (field, value, path) => encodeValue(field, value, path, services.statements.dialect),
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
      // Which right it takes is known once the row was looked for.
      if (!run.actor.may('update', collection)) authorizeCollection(collection, 'create', run.actor)
      else authorizeCollection(collection, 'update', run.actor)
      return mutation.on === null
        ? mutation.items.map((item) =>
            hasKey(item, collection)
              ? bindSave(ownKey(item, collection), item, collection, [], context)
              : bindCreate(item, collection, [], context),
          )
        : bindByField(mutation.items, mutation.on, collection, context, run)
  }
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
    `find ${statementKey(collection, [field, ...collection.key])}`,
    () =>
      statements.dialect.bulk.find(
        tableOf(collection),
        { columns: [typed(field)], parameter: 0 },
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
    { ...read, ...readName(collection), meta: [], cursor: null, key: null, wantsKeys: true },
    run,
  )
  return keysReply(prepared, await ask(prepared, run))
}

/** The service's own go by the name they are declared with, which is that of their table. */
const readName = ({ name, table, isSystem }: Collection) => ({ collection: isSystem ? table : name, isSystem })

const prepare = (read: Read, { actor, schema, services }: Run): Prepared =>
  prepareRead(actor, read, schema, services.compileRead)

async function ask(prepared: Prepared, { transaction, schema, services, actor, seen }: Run) {
  const rows = await between(services.failpoints, 'write.before-read', 'write.after-read', () =>
    transaction.query(statementFor(prepared)),
  )
  const stamp = rows[0]?.[VERSION] ?? ''
  if (!isCurrent(stamp, schema, actor) && !seen.isKept) throw new StaleVersionError(stamp)
  seen.isCurrent = true
  return rows
}

/** Under the lock, the row must be the one the caller has seen. */
async function checkMatch(keys: readonly (readonly string[])[], collection: Collection, run: Run): Promise<void> {
  const { request, services, transaction, actor } = run
  const [key] = keys
  if (request.ifMatch === null || key === undefined) return
  const { statements } = services
  const stored = rowVersionOf(collection, 't', statements.dialect)
  const rows = await statements.run(
    `match ${statementKey(collection, collection.key)}`,
    () =>
      statements.dialect.bulk.lock(
        tableOf(collection),
        { columns: collection.key.map(typed), parameter: 0 },
        stored.values,
        't',
        'change',
      ),
    [recordset([collection.key.map((field, index) => encodeKey(field, key[index] ?? '', statements.dialect))])],
    transaction,
  )
  const [row] = rows
  if (row === undefined) throw forbidden()
  const mark = actor.isAdmin ? stored.read(row.slice(1)) : await seenMark(key, collection, run)
  if (!request.ifMatch.includes('*') && !request.ifMatch.includes(`"${mark}"`))
    throw new ServiceError('PRECONDITION_FAILED')
}

/** The mark of a row as this caller gets it. */
async function seenMark(key: readonly string[], collection: Collection, run: Run): Promise<string> {
  const query = { ...plain, limit: 1 }
  const read = { query, queryKey: JSON.stringify(query), values: [], meta: [], cursor: null, key }
  const prepared = prepare({ ...read, ...readName(collection) }, run)
  return itemReply(prepared, await ask(prepared, run)).rowVersion
}

const ruleCheckOf = (run: Run): RuleCheck => ({
  access: accessOf(run),
  statements: run.services.statements,
  transaction: run.transaction,
})

/** Rows are locked before anything is decided on them. */
async function lockRows(
  cells: readonly (readonly string[])[],
  collection: Collection,
  run: Run,
): Promise<readonly Row[]> {
  const { statements } = run.services
  return statements.run(
    `lock change ${statementKey(collection, collection.key)}`,
    () =>
      statements.dialect.bulk.lock(
        tableOf(collection),
        { columns: collection.key.map(typed), parameter: 0 },
        collection.key.map(({ name }) => statements.dialect.bulk.column('t', name)),
        't',
        'change',
      ),
    [recordset(cells)],
    run.transaction,
  )
}

async function runDelete(target: Target, collection: Collection, run: Run): Promise<Done> {
  authorizeCollection(collection, 'delete', run.actor)
  const keys = await targetKeys(target, collection, run)
  checkTransactions(collection, keys.length, run.extent)
  await checkMatch(keys, collection, run)
  if (keys.length === 0) return { keys: [], changes: [], deleted: [] }
  if (!collection.isTransactional) await checkVersions(run)
  await run.watch.remove(collection, keys)
  const { statements } = run.services
  const names = collection.key.map(({ name }) => name)
  const cells = keys.map((key) =>
    collection.key.map((field, index) => encodeKey(field, key[index] ?? '', statements.dialect)),
  )
  if (!run.actor.isAdmin) {
    await lockRows(cells, collection, run)
    const named = cells.map((key) => ({ cells: key }))
    await checkRows('delete', collection, collection.key, named, ruleCheckOf(run))
  }
  const rows = await statements.run(
    `delete ${statementKey(collection, collection.key)}`,
    () =>
      statements.dialect.bulk.remove({
        table: tableOf(collection),
        set: { columns: collection.key.map(typed), parameter: 0 },
        match: names,
        kept: null,
        keptMatch: [],
        nullify: null,
        returned: { columns: names, row: null },
        key: collection.key.map(typed),
      }),
    [recordset(cells)],
    run.transaction,
  )
  run.seen.isKept ||= !collection.isTransactional
  if (rows.length !== keys.length)
    throw (await lockRows(cells, collection, run)).length > 0 ? skipped('delete') : forbidden()
  const gone = rows.map((row) => collection.key.map((_, index) => row[index] ?? ''))
  const changes = gone.map((key) => ({ kind: 'delete', collection, key, snapshot: null, delta: null }) as const)
  return { keys: [], changes, deleted: keys }
}

async function runSort(mutation: Extract<Mutation, { kind: 'sort' }>, collection: Collection, run: Run): Promise<Done> {
  authorizeCollection(collection, 'update', run.actor)
  checkTransactions(collection, Infinity, run.extent)
  await moveItem(mutation, collection, {
    statements: run.services.statements,
    transaction: run.transaction,
    encodeKey: (field, part) => encodeKey(field, part, run.services.statements.dialect),
    visible: async (keys) => {
      const query = { ...plain, limit: -1 }
      const read = { query, queryKey: JSON.stringify(query), values: [], meta: [], cursor: null, key: null, keys }
      const prepared = prepare({ ...read, ...readName(collection), wantsKeys: true }, run)
      return keysReply(prepared, await ask(prepared, run)).length
    },
    check: (cells, sent) =>
      checkRows(
        'update',
        collection,
        collection.key,
        cells.map((key) => ({ cells: key, sent })),
        ruleCheckOf(run),
      ),
  })
  return { keys: [], changes: [] }
}

// the answer

/** What was written, read as anybody would read it, in the order it was sent. Who may not read it all gets none of it. */
async function readBack(keys: readonly (readonly string[])[], collection: Collection, run: Run): Promise<WriteReply> {
  const nothing: WriteReply = { rows: [], rowVersion: null, isHidden: keys.length > 0 }
  if (run.request.read === null || keys.length === 0) return nothing
  if (!run.actor.may('read', collection)) return nothing
  try {
    return await readKeys(keys, run.request.read, collection, run)
  } catch (error) {
    if (run.actor.isAdmin || !(error instanceof ServiceError) || error.code !== 'FORBIDDEN') throw error
    return nothing
  }
}

async function readKeys(
  keys: readonly (readonly string[])[],
  read: NonNullable<WriteRequest['read']>,
  collection: Collection,
  run: Run,
): Promise<WriteReply> {
  const [only] = keys
  const base = { ...read, ...readName(collection), meta: [], cursor: null }
  if (keys.length === 1 && only !== undefined) {
    const prepared = prepare({ ...base, key: only }, run)
    const item = itemReply(prepared, await ask(prepared, run))
    return { rows: [item.data], rowVersion: item.rowVersion, isHidden: false }
  }
  const set = recordset(keys.map((key) => key.map((part) => JSON.stringify(part))))
  const prepared = prepare({ ...base, key: null, keys: set }, run)
  const { rows } = listReply(prepared, await ask(prepared, run))
  if (rows.length < keys.length) throw forbidden()
  return { rows, rowVersion: null, isHidden: false }
}

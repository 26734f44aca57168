import { invalidPayload } from '@tain/contract'
import type { Authorized } from '../../access/authorized.ts'
import type { WriteNode, WriteTree } from '../../query/bound-write.ts'
import type { Mutation } from '../../query/mutation.ts'
import type { Collection } from '../../schema/schema.ts'
import { bindMutation } from './bind-mutation.ts'
import type { ChangedRow } from '../../changes/change.ts'
import { checkVersions } from './check-versions.ts'
import { writeContext } from './context.ts'
import { deleteItems } from './delete.ts'
import { filterNodes } from './filter-rows.ts'
import { filteringOf } from './filtering.ts'
import { actionOf, lockExisting } from './lock.ts'
import { afterRows, partsOf } from './in-parts.ts'
import { takeOrders } from './orders.ts'
import { readBack } from './read-back.ts'
import { type Judged, type RemovalGroup, checkRemovals, groupRemovals, judgeLeaving, remove } from './remove.ts'
import type { Done, Run } from './request.ts'
import type { WriteReply } from './write-request.ts'
import { rootOf } from './root.ts'
import { authorizeExisting, stays } from './row-rules.ts'
import { accessOf } from './rule-check.ts'
import { checkSentKeys } from './sent-keys.ts'
import { sortItems } from './sort-items.ts'
import { checkTree } from './transactions.ts'
import { asSent } from './sent-order.ts'
import { type State, type TreeRun, keyText } from './tree-state.ts'
import { writeWaves } from './write-waves.ts'

/** One write inside a transaction: lock, check, write, record, read back. */
export async function runWrite(run: Run): Promise<WriteReply> {
  const { mutation } = run.request
  const collection = rootOf(mutation, run.schema, run.actor)
  const parts = partsOf(mutation, collection)
  const { keys, deleted } =
    parts === null ? await writeAndRecord(mutation, collection, run) : await writeParts(parts, collection, run)
  const read = await readBack(keys, collection, run)
  const revealed = run.watch.revealed(keys, read.rows)
  const reply: WriteReply = revealed === null ? read : { ...read, revealed }
  if (!run.seen.isCurrent) await checkVersions(run)
  return deleted === undefined ? reply : { ...reply, keys: deleted }
}

const filteringFor = (run: Run) =>
  filteringOf(run, { origin: run.request.origin, isDryRun: run.extent === 'dry-run' }, runWrite)

type Written = Pick<Done, 'keys' | 'deleted'>

async function writeAndRecord(mutation: Mutation, collection: Collection, run: Run): Promise<Written> {
  const { request, services, actor, transaction } = run
  const { keys, changes, deleted } =
    mutation.kind === 'delete'
      ? await deleteItems(mutation.target, collection, run, filteringFor(run))
      : mutation.kind === 'sort'
        ? await sortItems(mutation, collection, run)
        : await writePayload(mutation, collection, run)
  const all = await run.watch.after(changes)
  await services.changeSink.report(all, { by: actor.user, origin: request.origin }, transaction)
  return deleted === undefined ? { keys } : { keys, deleted }
}

async function writeParts(
  parts: NonNullable<ReturnType<typeof partsOf>>,
  collection: Collection,
  run: Run,
): Promise<Written> {
  const { maxBatch } = run.services
  const keys: (readonly string[])[] = []
  if (parts.reduce((sum, { items }) => sum + items.length, 0) > maxBatch) throw beyondBatch(maxBatch)
  for (const part of parts) {
    const before = keys.length
    const written = await writeAndRecord(part, collection, run).catch((error: unknown) => {
      throw afterRows(error, before)
    })
    for (const key of written.keys) keys.push(key)
  }
  return { keys }
}

const beyondBatch = (most: number) => invalidPayload(`Exceeded max batch mutation limit of ${most}`)

/** Binds a payload to the schema, authorizes, completes and guards it, then writes it. */
async function writePayload(
  mutation: Exclude<Mutation, { kind: 'delete' | 'sort' }>,
  collection: Collection,
  run: Run,
): Promise<Done> {
  const { services, transaction, actor } = run
  const context = writeContext(run.schema, actor, services, run.watch)
  const roots = await bindMutation(mutation, collection, context, run)
  if (context.tree.nodes.length > services.maxBatch) throw beyondBatch(services.maxBatch)
  const tree = context.authorize(context.tree)
  await context.prepare(tree)
  context.complete(tree)
  await context.guard(tree)
  const access = accessOf(run)
  const { extent, seen } = run
  // A write that cannot be rolled back needs the current schema and permissions before it starts.
  const isKept = tree.nodes.some((node) => !node.collection.isTransactional)
  if (isKept) await checkVersions(run)
  const { keyOf, changes } = await runTree(tree, {
    statements: services.statements,
    transaction,
    context,
    access,
    extent,
    changeSink: services.changeSink,
    filtering: filteringFor(run),
  })
  seen.isKept ||= isKept && changes.length > 0
  return { keys: roots.map(keyOf), changes }
}

export interface TreeResult {
  /** Key of each node's row, as text. */
  readonly keyOf: (node: WriteNode) => readonly string[]
  readonly changes: readonly ChangedRow[]
}

/** Executes a write tree: locks existing rows, writes in waves, removes rows that leave a list. */
export async function runTree(tree: Authorized<WriteTree>, run: TreeRun): Promise<TreeResult> {
  const started: State = {
    ...run,
    tree,
    known: new Map(),
    found: new Map(),
    before: new Map(),
    created: new Map(),
    changes: [],
    orders: new Map(),
  }
  await lockExisting(started)
  checkTree(tree, run.extent)
  const state = await authorizeExisting(started)
  await checkSentKeys(state)
  await filterNodes(tree.nodes, state)
  // Runs after the permission checks: a caller without permission must not learn whether a row exists.
  for (const node of tree.nodes)
    if (node.isLate && !stays(node, state)) run.context.completeSave(node, actionOf(node, state))
  const removals = groupRemovals(tree.removals)
  await checkRemovals(removals, state)
  const judged = new Map<RemovalGroup, Judged>()
  for (const removal of removals) judged.set(removal, await judgeLeaving(removal, state))
  await takeOrders(state)
  await writeWaves(state)
  for (const removal of removals) await remove(removal, judged.get(removal) ?? new Map(), state)
  return { keyOf: (node) => keyText(node, state), changes: asSent(state) }
}

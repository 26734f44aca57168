import { settledFault } from '../undefined-name.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { invalidPayload, ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { createMutex, type Mutex } from '../../lib/mutex.ts'
import type { Mutation } from '../../query/mutation.ts'
import { noCollection } from '../../query/resolve.ts'
import type { Observe } from '../../observe.ts'
import type { Schema } from '../../schema/schema.ts'
import type { SchemaCache } from '../../schema/schema-cache.ts'
import type { Database } from '../../sql/database.ts'
import { DatabaseError, type Driver, type Transaction } from '../../sql/driver.ts'
import { replayOf, type Claim, type Replay } from './idempotency.ts'
import { currentSchema } from '../current-schema.ts'
import { renewed } from '../../store/versions.ts'
import { StaleVersionError } from './stale-version.ts'
import { UnknownNameError } from './unknown-name.ts'
import { createSingleStatementCreate } from './single-statement-create.ts'
import { DryRunDone } from './dry-run.ts'
import { checkVersions } from './check-versions.ts'
import type { Run, WriteServices } from './request.ts'
import type { WriteReply, WriteRequest } from './write-request.ts'
import { isLostRace, isRefusal, MAX_TRIES, contractError } from './refusals.ts'
import { runAlone } from './run-alone.ts'
import { runWrite } from './write.ts'
import { rootOf } from './root.ts'

export interface WriteOptions {
  /** Runs everything, then rolls back. */
  readonly isDryRun: boolean
  /** Makes a repeated request return the response of the first one. */
  readonly claim: Claim | null
  /** Keeps or refuses each write by itself, instead of all together. */
  readonly isEach?: boolean
}

/** Runs several writes in one transaction. An error contains the position of the failed write. */
export type Write = (
  actor: Actor,
  requests: readonly WriteRequest[],
  options: WriteOptions,
) => Promise<readonly WriteReply[] | Replay>

const MAX_OUTDATED_TRIES = 20

/** Shared by all writes of the engine. */
interface Writing {
  readonly database: Database
  readonly schemaCache: SchemaCache
  readonly services: WriteServices
  readonly observe: Observe
  readonly createInOneStatement: ReturnType<typeof createSingleStatementCreate>
  /** Writes that make each other stale run one at a time after their first stale attempt. */
  readonly mutex: Mutex
}

/** The writes of one request. */
interface Call {
  readonly requests: readonly WriteRequest[]
  readonly options: WriteOptions
}

type Result = readonly WriteReply[] | Replay

export function createWrite(
  database: Database,
  schemaCache: SchemaCache,
  services: WriteServices,
  observe: Observe,
): Write {
  const createInOneStatement = createSingleStatementCreate(services, database.driver)
  const writing: Writing = { database, schemaCache, services, observe, createInOneStatement, mutex: createMutex() }
  return async (caller, requests, options) => {
    const turn: { leave: (() => void) | null } = { leave: null }
    try {
      return await persist(caller, { requests, options }, turn, writing)
    } finally {
      turn.leave?.()
    }
  }
}

/** Tries the writes until they are done, or fail under the newest schema and permissions. */
async function persist(
  caller: Actor,
  call: Call,
  turn: { leave: (() => void) | null },
  writing: Writing,
): Promise<Result> {
  const { schemaCache, observe, mutex } = writing
  const { requests } = call
  let schema = currentSchema(schemaCache)
  let actor = caller
  for (let tries = 1; ; tries += 1) {
    try {
      const quick = await quickly(schema, actor, call, writing)
      if (quick === 'outdated') {
        ;({ schema, actor } = await renewed(await schemaCache.stamp(), schema, actor, schemaCache))
        if (tries < MAX_TRIES) continue
      }
      const result =
        quick === null || quick === 'outdated' ? await attempt(schema, actor, call, tries, writing) : [quick]
      const { failpoints } = writing.services
      if (failpoints !== null) await failpoints.hit('write.committed')
      return result
    } catch (caught) {
      const { error, position } = unwrapped(caught)
      const { services, database } = writing
      const told = async (fault: DatabaseError) =>
        placed(await contractError(fault, requests[position ?? 0], schema, actor, services, database.driver), position)
      if (error instanceof DryRunDone) return error.answer
      if (error instanceof StaleVersionError && tries < MAX_OUTDATED_TRIES) {
        turn.leave ??= await mutex.take()
        ;({ schema, actor } = await renewed(await schemaCache.stamp(), schema, actor, schemaCache))
      } else if (error instanceof DatabaseError && isLostRace(error, requests, tries))
        await pause(10 + Math.random() * 2 ** tries * 15)
      else if (error instanceof DatabaseError && error.fault === 'schema-changed' && tries < MAX_TRIES) {
        observe({ kind: 'statement-outdated', error })
        const newest = await schemaCache.reload()
        const settled = tries === 1 ? null : settledFault(error, schema, newest, observe)
        if (settled !== null) throw await told(settled)
        schema = newest
      } else {
        const known = error instanceof UnknownNameError ? await schemaCache.exact() : schema
        // A refusal must not be based on an outdated schema or outdated permissions either.
        const newest =
          isRefusal(error) && tries < MAX_OUTDATED_TRIES
            ? await renewed(await schemaCache.stamp(), known, actor, schemaCache)
            : { schema, actor }
        if (newest.schema === schema && newest.actor === actor)
          throw error instanceof DatabaseError ? await told(error) : placed(error, position)
        ;({ schema, actor } = newest)
      }
    }
  }
}

/** One statement without a transaction, for the writes that allow it; null: they need one. */
async function quickly(
  schema: Schema,
  actor: Actor,
  { requests, options: { isDryRun, claim, isEach = false } }: Call,
  { services: { failpoints }, createInOneStatement }: Writing,
) {
  const [request] = requests
  if (request === undefined || requests.length > 1 || isDryRun || isEach || claim !== null) return null
  if (failpoints !== null) await failpoints.hit('write.begun')
  return createInOneStatement(request, actor, schema)
}

async function attempt(schema: Schema, actor: Actor, call: Call, tries: number, writing: Writing): Promise<Result> {
  const bumped: { permissionVersion: number | null } = { permissionVersion: null }
  const replies = await transact(schema, actor, call, tries, bumped, writing)
  // The next request to this process finds the new permissions in the cache and needs no retry.
  if (bumped.permissionVersion !== null) await writing.services.permissionStore?.atLeast(bumped.permissionVersion)
  return replies
}

const transact = (
  schema: Schema,
  actor: Actor,
  { requests, options: { isDryRun, claim, isEach = false } }: Call,
  tries: number,
  bumped: { permissionVersion: number | null },
  { database: { driver, dialect }, services }: Writing,
): Promise<Result> => {
  const { failpoints } = services
  return announced(services, schema, driver, async (transaction: Transaction): Promise<Result> => {
    if (failpoints !== null) await failpoints.hit('write.begun')
    if (isEach && requests.length > services.maxBatch)
      throw invalidPayload(`Exceeded max batch mutation limit of ${services.maxBatch}`)
    if (claim !== null) for (const { mutation } of requests) checkPermission(mutation, actor, schema)
    const replay = claim === null ? null : await replayOf(claim, services, transaction)
    if (replay !== null) {
      // A replay runs no other statement that returns the versions.
      await checkVersions({ schema, actor, services, transaction, seen: { isCurrent: false, isKept: false } })
      return replay
    }
    const replies: WriteReply[] = []
    const watching = () => services.guarding.watch(actor, schema, transaction)
    const shared = watching()
    const watches = new Set([shared])
    for (const [index, request] of requests.entries()) {
      try {
        const seen = { isCurrent: false, isKept: false }
        const extent = isDryRun ? 'dry-run' : requests.length > 1 || isEach ? 'batch' : 'single'
        // A rollback to a savepoint gives up the locks that a watch took after it.
        const watch = isEach ? watching() : shared
        const run: Run = { request, actor, schema, services, transaction, watch, seen, extent }
        const reply = await (isEach ? runAlone(run, tries) : runWrite(run))
        if (reply.refusal === undefined) watches.add(watch)
        replies.push(reply)
      } catch (error) {
        throw requests.length > 1 ? positioned(error, index) : error
      }
    }
    // A refused write may have run no statement that returns the versions.
    if (replies.some(({ refusal }) => refusal !== undefined))
      await checkVersions({ schema, actor, services, transaction, seen: { isCurrent: false, isKept: false } })
    if (isDryRun) {
      if (dialect.checkDeferred !== null) await transaction.query(dialect.checkDeferred)
      throw new DryRunDone(replies)
    }
    for (const watch of watches) bumped.permissionVersion = (await watch.finish()) ?? bumped.permissionVersion
    await claim?.keep(replies, services, transaction)
    if (failpoints !== null) await failpoints.hit('write.before-commit')
    // A response that is kept for repeated requests shows no secrets.
    return replies.map(({ revealed, ...reply }) => (revealed === undefined ? reply : { ...reply, rows: revealed }))
  })
}

/** Runs a transaction and tells of the collections that it has written, also if it is unknown whether it was committed. */
export async function announced<T>(
  { changeSink, guarding, onWritten }: WriteServices,
  schema: Schema,
  driver: Driver,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  let used: Transaction | null = null
  try {
    const result = await driver.transaction((transaction) => work((used = transaction)))
    if (used !== null) await guarding.committed(used)
    return result
  } finally {
    if (used !== null) await onWritten(changeSink.changedIn(used), schema)
  }
}

/** A caller who has lost the permission for a write does not get its stored response either. */
function checkPermission(mutation: Mutation, actor: Actor, schema: Schema): void {
  const collection = rootOf(mutation, schema, actor)
  const needed = actionsOf[mutation.kind]
  if (!needed.some((action) => actor.may(action, collection))) throw noCollection(collection.name)
}

const actionsOf: Readonly<Record<Mutation['kind'], readonly ('create' | 'update' | 'delete')[]>> = {
  create: ['create'],
  update: ['update'],
  'update-each': ['update'],
  delete: ['delete'],
  upsert: ['create', 'update'],
  sort: ['update'],
  singleton: ['update', 'create'],
}

/** An error with its position in a batch. */
class Positioned extends Error {
  readonly position: number
  readonly inner: unknown

  constructor(inner: unknown, position: number) {
    super('a write of a batch failed')
    this.inner = inner
    this.position = position
  }
}

const positioned = (error: unknown, index: number) => new Positioned(error, index)

const unwrapped = (caught: unknown): { error: unknown; position: number | null } =>
  caught instanceof Positioned ? { error: caught.inner, position: caught.position } : { error: caught, position: null }

function placed(error: unknown, position: number | null): unknown {
  if (position === null || !(error instanceof ServiceError)) return error
  return new ServiceError(error.code, error.message, { ...error.details, operation: position }, { cause: error })
}

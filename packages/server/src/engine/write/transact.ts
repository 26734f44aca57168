import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError, ServiceErrors } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { createMutex } from '../../lib/mutex.ts'
import type { Mutation } from '../../query/mutation.ts'
import { noCollection } from '../../query/resolve.ts'
import type { Observe } from '../../observe.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Snapshot } from '../../schema/schema-cache.ts'
import type { Database } from '../../sql/database.ts'
import { DatabaseError, type Transaction } from '../../sql/driver.ts'
import { isRefused } from '../../sql/faults.ts'
import { withField } from './blamed-value.ts'
import { writeFault } from './faults.ts'
import { replayOf, type Claim, type Replay } from './idempotency.ts'
import { renewed } from '../versions.ts'
import { StaleVersionError } from './stale-version.ts'
import { createQuickCreate } from './single-statement-create.ts'
import { DryRunDone } from './dry-run.ts'
import { checkVersions } from './check-versions.ts'
import type { WriteReply, WriteRequest, WriteServices } from './request.ts'
import { runWrite } from './write.ts'
import { rootOf } from './root.ts'

export interface WriteOptions {
  /** Runs everything, then rolls back. */
  readonly isDryRun: boolean
  /** Makes a repeated request return the response of the first one. */
  readonly claim: Claim | null
}

/** Runs several writes in one transaction. An error contains the position of the failed write. */
export type Write = (
  actor: Actor,
  requests: readonly WriteRequest[],
  options: WriteOptions,
) => Promise<readonly WriteReply[] | Replay>

const MAX_TRIES = 6
const MAX_OUTDATED_TRIES = 20
const MAX_UPSERT_TRIES = 3

export function createWrite(database: Database, snapshot: Snapshot, services: WriteServices, observe: Observe): Write {
  const { driver, dialect } = database
  const { failpoints } = services
  const indexColumns = async (schema: string, index: string) => {
    const rows = await driver.query(dialect.indexColumns(schema, index))
    return rows.map(([name]) => name ?? '')
  }

  const told = async (error: DatabaseError, request: WriteRequest | undefined, schema: Schema, actor: Actor) => {
    const named =
      request === undefined
        ? error
        : await withField(error, request.mutation, schema, services.statements, driver).catch(() => error)
    return writeFault(named, { schema, actor, indexColumns, showsRaised: services.showsRaised })
  }

  const attempt = async (
    schema: Schema,
    actor: Actor,
    requests: readonly WriteRequest[],
    options: WriteOptions,
  ): Promise<readonly WriteReply[] | Replay> => {
    const bumped: { permissionVersion: number | null } = { permissionVersion: null }
    const replies = await transact(schema, actor, requests, options, bumped)
    // The next request to this process finds the new permissions in the cache and needs no retry.
    if (bumped.permissionVersion !== null) await services.permissionStore?.atLeast(bumped.permissionVersion)
    return replies
  }

  const transact = (
    schema: Schema,
    actor: Actor,
    requests: readonly WriteRequest[],
    { isDryRun, claim }: WriteOptions,
    bumped: { permissionVersion: number | null },
  ) =>
    driver.transaction(async (transaction: Transaction): Promise<readonly WriteReply[] | Replay> => {
      if (failpoints !== null) await failpoints.hit('write.begun')
      if (claim !== null) for (const { mutation } of requests) checkPermission(mutation, actor, schema)
      const replay = claim === null ? null : await replayOf(claim, services, transaction)
      if (replay !== null) {
        // A replay runs no other statement that returns the versions.
        await checkVersions({ schema, actor, services, transaction, seen: { isCurrent: false, isKept: false } })
        return replay
      }
      const replies: WriteReply[] = []
      const watch = services.guarding.watch(actor, schema, transaction)
      for (const [index, request] of requests.entries()) {
        try {
          const seen = { isCurrent: false, isKept: false }
          const extent = isDryRun ? 'dry-run' : requests.length > 1 ? 'batch' : 'single'
          replies.push(await runWrite({ request, actor, schema, services, transaction, watch, seen, extent }))
        } catch (error) {
          throw requests.length > 1 ? positioned(error, index) : error
        }
      }
      if (isDryRun) {
        if (dialect.checkDeferred !== null) await transaction.query(dialect.checkDeferred)
        throw new DryRunDone(replies)
      }
      bumped.permissionVersion = await watch.finish()
      await claim?.keep(replies, services, transaction)
      if (failpoints !== null) await failpoints.hit('write.before-commit')
      return replies
    })

  const quickCreate = createQuickCreate(services, driver)
  const quickly = async (
    schema: Schema,
    actor: Actor,
    requests: readonly WriteRequest[],
    { isDryRun, claim }: WriteOptions,
  ) => {
    const [request] = requests
    if (request === undefined || requests.length > 1 || isDryRun || claim !== null) return null
    if (failpoints !== null) await failpoints.hit('write.begun')
    return quickCreate(request, actor, schema)
  }

  /** Writes that make each other stale run one at a time after their first stale attempt. */
  const mutex = createMutex()

  return async (caller, requests, options) => {
    const turn: { leave: (() => void) | null } = { leave: null }
    try {
      return await persist(caller, requests, options, turn)
    } finally {
      turn.leave?.()
    }
  }

  async function persist(
    caller: Actor,
    requests: readonly WriteRequest[],
    options: WriteOptions,
    turn: { leave: (() => void) | null },
  ): Promise<readonly WriteReply[] | Replay> {
    let schema = current(snapshot)
    let actor = caller
    for (let tries = 1; ; tries += 1) {
      try {
        const quick = await quickly(schema, actor, requests, options)
        if (quick === 'outdated') {
          ;({ schema, actor } = await renewed(await snapshot.stamp(), schema, actor, snapshot))
          if (tries < MAX_TRIES) continue
        }
        const result =
          quick === null || quick === 'outdated' ? await attempt(schema, actor, requests, options) : [quick]
        if (failpoints !== null) await failpoints.hit('write.committed')
        return result
      } catch (caught) {
        const { error, position } = unwrapped(caught)
        if (error instanceof DryRunDone) return error.answer
        if (error instanceof StaleVersionError && tries < MAX_OUTDATED_TRIES) {
          turn.leave ??= await mutex.take()
          ;({ schema, actor } = await renewed(await snapshot.stamp(), schema, actor, snapshot))
        } else if (error instanceof DatabaseError && isLostRace(error, requests, tries))
          await pause(10 + Math.random() * 2 ** tries * 15)
        else if (error instanceof DatabaseError && error.fault === 'schema-changed' && tries < MAX_TRIES) {
          observe({ kind: 'statement-outdated', error })
          schema = await snapshot.reload()
        } else {
          // A refusal must not be based on an outdated schema or outdated permissions either.
          const newest =
            isRefusal(error) && tries < MAX_OUTDATED_TRIES
              ? await renewed(await snapshot.stamp(), schema, actor, snapshot)
              : { schema, actor }
          if (newest.schema === schema && newest.actor === actor)
            throw placed(
              error instanceof DatabaseError ? await told(error, requests[position ?? 0], schema, actor) : error,
              position,
            )
          ;({ schema, actor } = newest)
        }
      }
    }
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError ||
  error instanceof ServiceErrors ||
  (error instanceof DatabaseError && isRefused(error.fault))

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

/** A retried upsert finds a row that another request has created meanwhile. A real conflict fails every retry. */
const isLostRace = ({ fault }: DatabaseError, requests: readonly WriteRequest[], tries: number): boolean =>
  (fault === 'conflict' && tries < MAX_TRIES) ||
  (fault === 'unique' && tries < MAX_UPSERT_TRIES && requests.some(({ mutation }) => mutation.kind === 'upsert'))

function current(snapshot: Snapshot): Schema {
  const schema = snapshot.current()
  if (schema === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'The database has not answered yet.')
  return schema
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

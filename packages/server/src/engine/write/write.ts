import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError, ServiceErrors } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { Observe } from '../../observe.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Snapshot } from '../../schema/snapshot.ts'
import type { Database } from '../../sql/database.ts'
import { DatabaseError, type Transaction } from '../../sql/driver.ts'
import { writeFault } from './faults.ts'
import { replayOf, type Claim, type Replay } from './idempotency.ts'
import { createQuickCreate } from './quick-create.ts'
import {
  OutdatedSchema,
  runWrite,
  writeContext,
  type WriteReply,
  type WriteRequest,
  type WriteServices,
} from './run-write.ts'

export interface WriteOptions {
  /** Does everything and keeps nothing. */
  readonly isRehearsal: boolean
  /** Makes a repetition answer as the first time did. */
  readonly claim: Claim | null
}

/** Several writes in one transaction; an error says which one it was. */
export type Write = (
  actor: Actor,
  requests: readonly WriteRequest[],
  options: WriteOptions,
) => Promise<readonly WriteReply[] | Replay>

/** Carries the answer out of a transaction that must not be kept. */
class Rehearsed extends Error {
  readonly replies: readonly WriteReply[]

  constructor(replies: readonly WriteReply[]) {
    super('rehearsed')
    this.replies = replies
  }
}

const MAX_TRIES = 6
const MAX_UPSERT_TRIES = 3

export function createWrite(database: Database, snapshot: Snapshot, services: WriteServices, observe: Observe): Write {
  const { driver, dialect } = database
  const { failpoints } = services
  const indexColumns = async (schema: string, index: string) => {
    const rows = await driver.query(dialect.indexColumns(schema, index))
    return rows.map(([name]) => name ?? '')
  }

  const attempt = (
    schema: Schema,
    actor: Actor,
    requests: readonly WriteRequest[],
    { isRehearsal, claim }: WriteOptions,
  ) =>
    driver.transaction(async (transaction: Transaction): Promise<readonly WriteReply[] | Replay> => {
      if (failpoints !== null) await failpoints.hit('write.begun')
      const replay = claim === null ? null : await replayOf(claim, actor, services, transaction)
      if (replay !== null) return replay
      const replies: WriteReply[] = []
      for (const [index, request] of requests.entries()) {
        try {
          replies.push(await runWrite({ request, actor, schema, services, transaction }))
        } catch (error) {
          throw requests.length > 1 ? positioned(error, index) : error
        }
      }
      if (isRehearsal) throw new Rehearsed(replies)
      await claim?.keep(replies, services, transaction)
      if (failpoints !== null) await failpoints.hit('write.before-commit')
      return replies
    })

  const quickCreate = createQuickCreate(services, driver)
  const quickly = async (
    schema: Schema,
    actor: Actor,
    requests: readonly WriteRequest[],
    { isRehearsal, claim }: WriteOptions,
  ) => {
    const [request] = requests
    if (request === undefined || requests.length > 1 || isRehearsal || claim !== null) return null
    if (failpoints !== null) await failpoints.hit('write.begun')
    return quickCreate(request, actor, schema, writeContext(schema, actor, services))
  }

  return async (actor, requests, options) => {
    let schema = current(snapshot)
    for (let tries = 1; ; tries += 1) {
      try {
        const quick = await quickly(schema, actor, requests, options)
        if (quick === 'outdated') {
          schema = await snapshot.latest()
          if (tries < MAX_TRIES) continue
        }
        const result =
          quick === null || quick === 'outdated' ? await attempt(schema, actor, requests, options) : [quick]
        if (failpoints !== null) await failpoints.hit('write.committed')
        return result
      } catch (caught) {
        const { error, position } = unwrapped(caught)
        if (error instanceof Rehearsed) return error.replies
        const isLast = tries >= MAX_TRIES
        if (error instanceof OutdatedSchema && !isLast) schema = await snapshot.atLeast(error.version)
        else if (error instanceof DatabaseError && isLostRace(error, requests, tries))
          await pause(10 + Math.random() * 2 ** tries * 15)
        else if (error instanceof DatabaseError && error.fault === 'schema-changed' && tries === 1) {
          observe({ kind: 'structure-changed', error })
          schema = await snapshot.reload()
        } else if ((error instanceof ServiceError || error instanceof ServiceErrors) && tries === 1) {
          // A refusal is an answer as well, and must not come from an old schema.
          const latest = await snapshot.latest()
          if (latest === schema) throw placed(error, position)
          schema = latest
        } else
          throw placed(error instanceof DatabaseError ? await writeFault(error, schema, indexColumns) : error, position)
      }
    }
  }
}

/** An upsert whose row somebody else has made meanwhile finds it the next time; what is really taken stays so. */
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

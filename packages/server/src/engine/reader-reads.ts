import { performance } from 'node:perf_hooks'
import type { Actor } from '../access/actor.ts'
import type { AbortFlag } from '../lib/abort-flag.ts'
import { laterOf, type LogPosition } from '../lib/log-position.ts'
import { currentRequest } from '../lib/request-context.ts'
import type { Observe } from '../observe.ts'
import type { Schema } from '../schema/schema.ts'
import type { Database, Readers } from '../sql/database.ts'
import { DatabaseError, type Row, type Statement } from '../sql/driver.ts'
import type { DatabaseFault } from '../sql/faults.ts'
import { createServiceStatements } from '../sql/service/run-service-statement.ts'
import { isCurrent } from '../store/versions.ts'
import type { CompiledRead } from './compile-read.ts'
import { VERSION } from './plan-read.ts'

/** A read that was compiled for a schema and a caller. */
export interface ReaderRead {
  readonly compiled: CompiledRead
  readonly statement: Statement
  readonly schema: Schema
  readonly actor: Actor
  readonly signal: AbortFlag | undefined
}

/** The rows from a server that follows the primary; null: the primary has to be asked. */
export type ReadByReader = (read: ReaderRead) => Promise<readonly Row[] | null>

export interface ReaderOptions {
  readonly systemSchema: string
  /** The oldest rows that are shown, in milliseconds. */
  readonly lagMax: number
  readonly observe: Observe
}

/** Another server would do no better, or the caller is gone. */
const final: ReadonlySet<DatabaseFault> = new Set(['cancelled', 'too-large', 'too-slow'])

/**
 * Reads of the caller's own rights would be worth nothing if they were old, so the versions come from the primary. Its
 * response also tells where its log stands: a server is asked only for rows that are new enough. A read of one row costs
 * the primary no more than this question, and is left to it; so are the service's own tables.
 */
export function createReadByReader(database: Database, readers: Readers, options: ReaderOptions): ReadByReader {
  const { observe } = options
  const needed = createNeeded(options.lagMax)
  const ask = createServiceStatements(database, options.systemSchema)

  const askPrimary = async () => {
    const began = performance.now()
    const [row] = await ask(readers.moment)
    const [stamp = null, position = null] = row ?? []
    return { stamp, position: position === null ? null : needed(began, position) }
  }

  return async ({ compiled, statement, schema, actor, signal }) => {
    if (compiled.isSmall || compiled.collection.isSystem) return null
    if (readers.driver.stats().outage !== null) {
      observe({ kind: 'reader-away' })
      return null
    }
    const { stamp, position } = await askPrimary()
    if (position === null || !isCurrent(stamp, schema, actor)) return null
    const own = currentRequest()?.freshness?.position ?? null
    try {
      const rows = await readers.driver.query(statement, {
        position: laterOf(position, own) ?? position,
        ...(signal === undefined ? {} : { signal }),
      })
      const isUsable = rows[0]?.[VERSION] === stamp
      observe({ kind: isUsable ? 'reader-answered' : 'reader-outdated' })
      return isUsable ? rows : null
    } catch (error) {
      if (!(error instanceof DatabaseError) || final.has(error.fault)) throw error
      observe({ kind: kindOf(error.fault) })
      return null
    }
  }
}

/** Whatever else a statement fails with, the primary tells what is wrong with it. */
const kindOf = (fault: DatabaseFault) =>
  fault === 'behind' ? 'reader-behind' : fault === 'unavailable' ? 'reader-away' : 'reader-outdated'

/** The position that the log of the primary had `lagMax` ago, or at the first moment after that which is known. */
function createNeeded(lagMax: number): (at: number, position: LogPosition) => LogPosition {
  const known: { readonly at: number; readonly position: LogPosition }[] = []
  const least = lagMax / 20
  return (at, position) => {
    while (known.length > 0 && known[0]!.at < at - lagMax) known.shift()
    if (known.length === 0 || known.at(-1)!.at <= at - least) known.push({ at, position })
    return known[0]!.position
  }
}

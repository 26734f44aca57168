import type { Actor } from '../access/actor.ts'
import type { AbortFlag } from '../lib/abort-flag.ts'
import type { Schema } from '../schema/schema.ts'
import type { Database } from '../sql/database.ts'
import { createBeside } from './beside.ts'
import { createAuthorizeShape, type CompileOptions } from './compile-read.ts'
import { estimateRows } from './filter-estimate.ts'
import { listReply, shapeOf, type Prepared, type Read, type Rows } from './read.ts'
import { askRows, runRead, type Asked, type ReadServices } from './run-read.ts'
import { markShared } from './shared-reads.ts'
import { askSought } from './seek/ask-sought.ts'
import { createKeySamples } from './seek/key-samples.ts'

export type ListRows = (actor: Actor, read: Read, signal?: AbortFlag) => Promise<Rows>

/** Reads lists: from their first row, after a cursor, or from a share of their rows on. */
export function createList(database: Database, compiling: CompileOptions, reads: ReadServices): ListRows {
  const { driver, dialect } = database
  const authorizeShape = createAuthorizeShape(compiling)
  const samples = createKeySamples(database)
  const seeks = { database, compileRead: reads.compileRead, authorizeShape, samples }

  /** Adds the estimate of the planner, which is a statement of its own. */
  async function withEstimate(
    { compiled }: Prepared,
    asked: Asked<Rows>,
    { read, schema, actor, signal }: ListRead,
  ): Promise<Asked<Rows>> {
    const { planEstimate: planner } = dialect
    if (!compiled.isPlanEstimated || planner === null) return asked
    const beside = createBeside(read, actor, dialect, (statement) => driver.query(statement, signal && { signal }))
    const query = authorizeShape(shapeOf(read, null), schema, actor)
    const estimate = await estimateRows({ query, dialect, planner, samples, beside })
    return {
      ...asked,
      finish: () => {
        const { rows, meta } = asked.finish()
        return { rows, meta: { estimated_count: estimate, ...meta } }
      },
    }
  }

  return (caller, read, signal) =>
    runRead(
      caller,
      read,
      async (prepared, schema, actor) => {
        const asked =
          (read.seek ?? null) === null
            ? markShared(await askRows(prepared, signal, listReply, reads, { schema, actor }), prepared, actor, reads)
            : await askSought(prepared, read, { schema, actor }, signal, seeks)
        return withEstimate(prepared, asked, { read, schema, actor, signal })
      },
      reads,
    )
}

interface ListRead {
  readonly read: Read
  readonly schema: Schema
  readonly actor: Actor
  readonly signal: AbortFlag | undefined
}

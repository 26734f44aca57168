import type { Actor } from '../access/actor.ts'
import type { AbortFlag } from '../lib/abort-flag.ts'
import type { Database } from '../sql/database.ts'
import { createAuthorizeShape, type CompileOptions } from './compile-read.ts'
import { listReply, type Read, type Rows } from './read.ts'
import { askRows, runRead, type ReadServices } from './run-read.ts'
import { askSought } from './seek/ask-sought.ts'
import { createKeySamples } from './seek/key-samples.ts'

export type ListRows = (actor: Actor, read: Read, signal?: AbortFlag) => Promise<Rows>

/** Reads lists: from their first row, after a cursor, or from a share of their rows on. */
export function createList(database: Database, compiling: CompileOptions, reads: ReadServices): ListRows {
  const seeks = {
    database,
    compileRead: reads.compileRead,
    authorizeShape: createAuthorizeShape(compiling),
    samples: createKeySamples(database),
  }
  return (caller, read, signal) =>
    runRead(
      caller,
      read,
      (prepared, schema, actor) =>
        (read.seek ?? null) === null
          ? askRows(prepared, signal, listReply, reads)
          : askSought(prepared, read, { schema, actor }, signal, seeks),
      reads,
    )
}

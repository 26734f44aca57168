import type { Actor } from '../../access/actor.ts'
import type { AbortFlag } from '../../lib/abort-flag.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Database } from '../../sql/database.ts'
import type { Row, Statement } from '../../sql/driver.ts'
import { createBeside } from '../beside.ts'
import type { AuthorizeShape, CompileRead } from '../compile-read.ts'
import type { Cursor } from '../cursor.ts'
import {
  hasRows,
  listReply,
  prepareRead,
  shapeOf,
  statementFor,
  type Position,
  type Prepared,
  type Read,
  type Rows,
} from '../read.ts'
import { findStart, type Start } from './find-start.ts'
import type { KeySamples } from './key-samples.ts'

export interface SeekServices {
  readonly database: Pick<Database, 'driver' | 'dialect' | 'distribution'>
  readonly compileRead: CompileRead
  readonly authorizeShape: AuthorizeShape
  readonly samples: KeySamples
}

export interface SoughtRows {
  readonly rows: readonly Row[]
  readonly finish: () => Rows
}

/** The list backwards from its end. */
const END: Cursor = { values: [], isBackward: true, isInclusive: true }

const FIRST: Position = { share: 0, row: 0 }

/** Reads the page that begins near a share of the list; near the end, it is the last page. */
export async function askSought(
  plain: Prepared,
  read: Read,
  { schema, actor }: { readonly schema: Schema; readonly actor: Actor },
  signal: AbortFlag | undefined,
  services: SeekServices,
): Promise<SoughtRows> {
  const { database, compileRead, authorizeShape, samples } = services
  const send = (statement: Statement) => database.driver.query(statement, signal && { signal })
  const readFrom = async (start: Cursor | null) => {
    const prepared = start === null ? plain : prepareRead(actor, read, schema, compileRead, start)
    return { prepared, rows: await send(statementFor(prepared)) }
  }
  const share = read.seek ?? 0
  const start =
    share === 0
      ? null
      : await findStart({
          query: authorizeShape(shapeOf(read, null), schema, actor),
          share,
          beside: createBeside(read, actor, database.dialect, send),
          database,
          samples,
        })
  if (start === null || start.position.row === 0) return positioned(await readFrom(null), FIRST)
  const { limit } = plain.compiled
  if (start.values !== null && !isNearEnd(start, share, limit)) {
    const page = await readFrom({ values: start.values, isBackward: false, isInclusive: true })
    if (start.position.row !== null || countOf(page.rows) >= limit) return positioned(page, start.position)
  }
  const page = await readFrom(END)
  return positioned(page, endPosition(start, Math.min(countOf(page.rows), Math.max(limit, 0))))
}

const countOf = (rows: readonly Row[]) => (hasRows(rows) ? rows.length : 0)

/** Whether fewer rows than a page has are left, as far as their number is known. */
const isNearEnd = ({ rows, position }: Start, share: number, limit: number) =>
  position.row === null && (1 - share) * rows < limit

const endPosition = ({ rows }: Start, shown: number): Position => ({
  share: rows > shown ? 1 - shown / rows : 0,
  row: null,
})

const positioned = (
  { prepared, rows }: { readonly prepared: Prepared; readonly rows: readonly Row[] },
  position: Position,
): SoughtRows => ({
  rows,
  finish: () => {
    const reply = listReply(prepared, rows)
    return { ...reply, meta: { ...reply.meta, position } }
  },
})

import type { Schema } from '../schema/schema.ts'
import type { OutsideTransaction } from '../sql/outside.ts'
import { outsideWrite, type NewChange } from './logged-change.ts'
import { newChanges, toldName, unknownTables, type ChangeForms, type HeardChange } from './outside-changes.ts'
import { createMovingMark, type Mark, type MovingMark, type MovingMarkParts } from './outside-mark.ts'
import { createOutsideQueue } from './outside-queue.ts'

/** Changes that are brought into form at once. */
const AT_ONCE = 1000
/** A transaction with more changes is appended in pieces: others would wait for the head of the log. */
const PIECE = 5000

export interface AppenderParts extends ChangeForms, MovingMarkParts {
  readonly database: MovingMarkParts['database']
  /** The newest schema by its version: what is captured is decided by it. */
  readonly schema: () => Promise<Schema>
  /** The schema as the database has it now. */
  readonly exactSchema: () => Promise<Schema>
  readonly failed: (error: unknown) => void
}

/** Appends transactions of the database to the log of changes, in their order and each once. */
export interface Appender {
  /** Resolves once there is room for the next one. */
  readonly take: (transaction: OutsideTransaction) => Promise<void>
  /** Everything up to this place was taken. */
  readonly reached: (position: string) => void
  /** Stores what was reached without changes. */
  readonly rest: () => Promise<void>
  /** Milliseconds since the oldest transaction that waits was committed. */
  readonly lag: () => number
  readonly close: () => Promise<void>
}

type Convert = (heard: readonly HeardChange[]) => Promise<readonly NewChange[]>

/** Another program may have made or changed a table a moment ago. Tables that are not served stay unknown. */
function createConvert(parts: AppenderParts): Convert {
  let notServed: ReadonlySet<string> = new Set()
  return async (heard) => {
    if (heard.length === 0) return []
    let schema = await parts.schema()
    const isReshaped = heard.some((each) => each.isReshaped)
    if (isReshaped || ![...unknownTables(heard, schema)].every((name) => notServed.has(name))) {
      schema = await parts.exactSchema()
      notServed = unknownTables(heard, schema)
    }
    return newChanges(heard, schema, parts)
  }
}

function* heardIn(transaction: OutsideTransaction): Generator<HeardChange> {
  const told = new Set(transaction.told.map(({ collection, item }) => toldName(collection, item)))
  const { isReshaped } = transaction
  for (const change of transaction.changes()) yield { change, write: outsideWrite(transaction.name), told, isReshaped }
}

async function appendInPieces(
  transaction: OutsideTransaction,
  done: number,
  mark: MovingMark,
  convert: Convert,
): Promise<void> {
  const { position } = transaction
  let piece: NewChange[] = []
  let batch: HeardChange[] = []
  let count = 0
  for (const heard of heardIn(transaction)) {
    count += 1
    if (count <= done) continue
    batch.push(heard)
    if (batch.length < AT_ONCE) continue
    piece.push(...(await convert(batch)))
    batch = []
    if (piece.length < PIECE) continue
    await mark.append(piece, { position, done: count })
    piece = []
  }
  piece.push(...(await convert(batch)))
  await mark.append(piece, { position, done: null })
}

const nameOf = ({ name }: OutsideTransaction): string => name

/** How many changes of a transaction are in the log already: it comes again after a break. */
function doneUpTo(position: string, current: Mark, compare: AppenderParts['logical']['compare']): number | 'all' {
  const order = compare(position, current.position)
  return order > 0 ? 0 : order === 0 && current.done !== null ? current.done : 'all'
}

export function createAppender(parts: AppenderParts, began: Mark): Appender {
  const { compare } = parts.logical
  const mark = createMovingMark(parts, began)
  const convert = createConvert(parts)
  const convertOpen: Convert = (heard) => {
    if (isClosed) throw new Error('the log of the database is not read any more')
    return convert(heard)
  }
  let isClosed = false
  let reached: string | null = null

  const doneOf = ({ position }: OutsideTransaction) => doneUpTo(position, mark.current(), compare)

  async function append(transactions: readonly OutsideTransaction[]): Promise<void> {
    const fresh = transactions.filter((transaction) => doneOf(transaction) !== 'all')
    const [first] = fresh
    const last = fresh.at(-1)
    if (first === undefined || last === undefined) return
    await parts.logical.untilVisible(fresh.map(nameOf), () => isClosed)
    const done = doneOf(first)
    if (first === last && (first.count > PIECE || done !== 0))
      return appendInPieces(first, done === 'all' ? 0 : done, mark, convertOpen)
    const changes = await convertOpen(fresh.flatMap((transaction) => [...heardIn(transaction)]))
    const isAwaited = changes.length > 0 || fresh.some(({ isBeat }) => isBeat)
    if (isAwaited) await mark.append(changes, { position: last.position, done: null })
    else reached = last.position
  }

  const queue = createOutsideQueue({
    append,
    standsAlone: (transaction) => {
      const done = doneOf(transaction)
      return done !== 'all' && (done > 0 || transaction.count > PIECE)
    },
    failed: parts.failed,
  })

  return {
    take: queue.take,
    reached(position) {
      if (queue.isEmpty()) reached = position
    },
    // A transaction may have come after the last look, and its place is behind what was reached before it.
    rest: () =>
      mark.append([], () => {
        const { position, done } = mark.current()
        const isAhead = reached !== null && done === null && compare(reached, position) > 0
        return reached !== null && isAhead && queue.isEmpty() ? { position: reached, done: null } : null
      }),
    lag: queue.lag,
    close() {
      isClosed = true
      return queue.close()
    },
  }
}

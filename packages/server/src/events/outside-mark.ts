import type { Failpoints } from '../lib/failpoint.ts'
import { createMutex } from '../lib/mutex.ts'
import { runWith, type Database } from '../sql/database.ts'
import type { Transaction } from '../sql/driver.ts'
import { createServiceStatements } from '../sql/service/run-service-statement.ts'
import type { EventLog } from './event-log.ts'
import type { NewChange } from './logged-change.ts'

/** How far the log of the database was taken over: its place, and how many changes of the transaction before it. */
export interface Mark {
  readonly position: string
  /** null: all. */
  readonly done: number | null
}

const RENEWING = 'renewing'

export const markText = ({ position, done }: Mark): string => (done === null ? position : `${position}+${done}`)

/** `renewing`: somebody began to give up the place, and nobody knows how far that has come. */
export function readMark(text: string | null): Mark | typeof RENEWING | null {
  if (text === null || text === '') return null
  if (text === RENEWING) return RENEWING
  const [position = '', done] = text.split('+')
  return { position, done: done === undefined ? null : Number(done) }
}

export interface MarkParts {
  readonly database: Database
  readonly systemSchema: string
}

export const storedMark = async ({ database, systemSchema }: MarkParts) => {
  const { outside, driver, dialect } = database
  return readMark((await runWith(outside.mark(systemSchema), [], driver, dialect))[0]?.[0] ?? null)
}

export async function setMark({ database, systemSchema }: MarkParts, mark: Mark | typeof RENEWING): Promise<void> {
  const { outside, driver, dialect } = database
  await runWith(outside.setMark(systemSchema), [mark === RENEWING ? mark : markText(mark)], driver, dialect)
}

export interface MovingMark {
  readonly current: () => Mark
  /**
   * Appends changes and moves the mark, both or neither. Fails if somebody else has moved it. One at a time: `next` is asked
   * when it is its turn, and null leaves the mark where it is.
   */
  readonly append: (changes: readonly NewChange[], next: Mark | (() => Mark | null)) => Promise<void>
}

export interface MovingMarkParts extends MarkParts {
  readonly log: Pick<EventLog, 'append' | 'told'>
  readonly failpoints: Failpoints | null
  /** Called when all up to a place was stored: the database need not keep it. */
  readonly stored: (position: string) => void
}

export function createMovingMark(parts: MovingMarkParts, began: Mark): MovingMark {
  const { database, systemSchema, log, failpoints } = parts
  const { outside } = database
  const ask = createServiceStatements(database, systemSchema)
  const mutex = createMutex()
  let mark = began

  async function move(next: Mark, transaction: Transaction): Promise<void> {
    const text = markText(next)
    await ask(outside.moveMark, [text, markText(mark)], transaction)
    const [row] = await ask(outside.mark, [], transaction)
    if (row?.[0] !== text) throw new Error('another replica reads the log of the database')
  }

  async function append(changes: readonly NewChange[], next: Mark): Promise<void> {
    await failpoints?.hit('outside.before-append')
    await database.driver.transaction(async (transaction) => {
      if (changes.length > 0) await log.append(changes, transaction)
      await move(next, transaction)
    })
    await failpoints?.hit('outside.appended')
    mark = next
    if (next.done === null) parts.stored(next.position)
    await failpoints?.hit('outside.confirmed')
    if (changes.length > 0) log.told()
  }

  return {
    current: () => mark,
    async append(changes, next) {
      const leave = await mutex.take()
      try {
        const place = typeof next === 'function' ? next() : next
        if (place !== null) await append(changes, place)
      } finally {
        leave()
      }
    },
  }
}

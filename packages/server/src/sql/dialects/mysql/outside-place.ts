import { DatabaseError } from '../../driver.ts'
import type { Decode } from './binlog-charsets.ts'
import { readRotation, type EventHeader } from './binlog-events.ts'
import { positionText, type BinlogPosition } from './binlog-position.ts'
import { descriptionIn, readTable, tableId, type LogTable } from './binlog-table.ts'

/** Tables whose description is kept. */
const MOST_TABLES = 2000
/** Offsets have 32 bits in the log. */
export const OFFSETS = 2 ** 32

/** The server's own number for a place that it does not have. */
export const LOST = '1236'
export const lost = (reason: string): DatabaseError => new DatabaseError('other', reason, LOST)

export interface BinlogScope {
  readonly isHeard: (schema: string, table: string) => boolean
  /** Whether a table of the schema may be heard. */
  readonly hasHeard: (schema: string) => boolean
  /** Tables of these schemas may be changed by statements that are logged as such. */
  readonly schemas: () => Iterable<string>
  /** Finds out what the log does not say about columns; null: it says everything. */
  readonly complete: (table: LogTable) => Promise<LogTable> | null
  readonly decode: Decode
}

/** Follows where in which file the log is. */
export function createPlace(from: BinlogPosition) {
  let { file, offset } = from
  let stamp: string | null = null
  return {
    /** The first description is that of the file in which the reading began. */
    describe({ time, server }: EventHeader): void {
      const found = `${server}-${time}`
      if (stamp === null && from.stamp !== '' && from.stamp !== found)
        throw lost('the log of the database is another one than before')
      stamp = found
    },
    rotate(event: Buffer): void {
      ;({ file, offset } = readRotation(event))
    },
    advance({ end }: EventHeader): void {
      if (end === 0) return
      const high = Math.floor(offset / OFFSETS)
      offset = (end < offset % OFFSETS ? high + 1 : high) * OFFSETS + end
    },
    text: () => positionText({ file, offset, stamp: stamp ?? '' }),
    stamp: () => stamp,
  }
}

/** The tables as the log describes them, read once for each description. */
export function createTables({ complete, isHeard }: BinlogScope) {
  let known = new Map<number, { readonly description: Buffer; readonly table: LogTable }>()
  const last = new Map<string, Buffer>()
  const remember = (id: number, description: Buffer, table: LogTable) => {
    if (known.size >= MOST_TABLES) known = new Map()
    known.set(id, { description, table })
  }
  return {
    find: (id: number): LogTable | undefined => known.get(id)?.table,
    /** Whether the table looks otherwise than before. */
    describe(event: Buffer): { readonly isNew: boolean; readonly ready: Promise<void> | null } {
      const id = tableId(event)
      if (known.get(id)?.description.equals(descriptionIn(event)) === true) return { isNew: false, ready: null }
      const description = Buffer.from(descriptionIn(event))
      const table = readTable(event)
      remember(id, description, table)
      const name = JSON.stringify([table.schema, table.name])
      const isNew = last.get(name)?.equals(description) !== true
      last.set(name, description)
      const completing = isHeard(table.schema, table.name) ? complete(table) : null
      const ready = completing?.then((completed) => remember(id, description, completed)) ?? null
      return { isNew, ready }
    },
  }
}

import { createSpilledList, type SpilledList } from '../../../lib/spilled-list.ts'
import type { LogOptions, OutsideListener, OutsideTransaction, ToldItem } from '../../outside.ts'
import type { Decode } from './binlog-charsets.ts'
import {
  eventTypes as e,
  readHeader,
  readPrepared,
  readStatement,
  readTransactionStart,
  type EventHeader,
  type LoggedStatement,
  type TransactionStart,
} from './binlog-events.ts'
import type { BinlogPosition } from './binlog-position.ts'
import { changesOf, countRows, isInsertEvent, isRowsEvent } from './binlog-rows.ts'
import { meaningOf } from './binlog-statement.ts'
import { tableId, type LogTable } from './binlog-table.ts'
import { createPlace, createTables, lost, type BinlogScope } from './outside-place.ts'

/** What a transaction may hold in memory. */
const HELD_BYTES = 8 * 1024 ** 2
const AS_STATEMENTS = 'a program has its changes logged as statements, not as rows: its binlog_format is not ROW'

/** A transaction that is not committed yet, as far as it has come. */
interface OpenTransaction {
  readonly start: TransactionStart
  readonly tables: Map<number, LogTable>
  readonly events: SpilledList
  readonly told: ToldItem[]
  count: number
  isReshaped: boolean
  isBeat: boolean
}

const BEGUN_BY_STATEMENT: TransactionStart = { name: '', isStandalone: false, completesPrepared: false }

const opened = (start: TransactionStart): OpenTransaction => ({
  start,
  tables: new Map(),
  events: createSpilledList(HELD_BYTES),
  told: [],
  count: 0,
  isReshaped: false,
  isBeat: false,
})

function* changesIn({ events, tables }: OpenTransaction, decode: Decode) {
  for (const event of events.read()) {
    const table = tables.get(tableId(event))
    if (table !== undefined) yield* changesOf(event, table, decode)
  }
}

const committedAs = (
  { start, told, count, isReshaped, isBeat, ...transaction }: OpenTransaction,
  position: string,
  time: number,
  decode: Decode,
): OutsideTransaction => ({
  name: start.name === '' ? position : start.name,
  position,
  time: time * 1000,
  told,
  count,
  isReshaped,
  isBeat,
  changes: () => changesIn({ start, told, count, isReshaped, isBeat, ...transaction }, decode),
  close: transaction.events.close,
})

interface Collecting {
  readonly listener: OutsideListener
  readonly scope: BinlogScope
  readonly options: LogOptions
  readonly place: ReturnType<typeof createPlace>
  readonly tables: ReturnType<typeof createTables>
  /** Prepared by XA, and not committed yet. */
  readonly prepared: Map<string, OpenTransaction>
  open: OpenTransaction | null
  isReshaped: boolean
}

/** null: the next event may come at once. */
type Working = Promise<void> | null

function keepRows({ tables, scope, options }: Collecting, event: Buffer, type: number, transaction: OpenTransaction) {
  const id = tableId(event)
  const table = tables.find(id)
  if (table === undefined) throw lost('the log has a change of a table that it has not described')
  if (table.name === 'service_outbox' && table.schema === options.systemSchema) {
    if (!isInsertEvent(type)) return
    for (const { after } of changesOf(event, table, scope.decode)) {
      if (after?.['kind'] === 'beat') transaction.isBeat = true
      else transaction.told.push({ collection: after?.['collection'] ?? '', item: after?.['item'] ?? '' })
    }
  } else if (scope.isHeard(table.schema, table.name)) {
    transaction.tables.set(id, table)
    transaction.events.push(Buffer.from(event))
    transaction.count += countRows(event, table)
  }
}

/** Hands a transaction over, if there is something in it. */
function commit(collecting: Collecting, transaction: OpenTransaction | null, { time }: EventHeader): Working {
  const { listener, place, scope } = collecting
  collecting.open = null
  const position = place.text()
  if (transaction === null || (transaction.count === 0 && !transaction.isBeat)) {
    transaction?.events.close()
    listener.reached(position)
    return null
  }
  if (collecting.isReshaped) transaction.isReshaped = true
  collecting.isReshaped = false
  return listener.take(committedAs(transaction, position, time, scope.decode))
}

/** Ends a transaction of which nothing is told. */
function drop(collecting: Collecting, transaction: OpenTransaction | null, header: EventHeader): Working {
  transaction?.events.close()
  return commit(collecting, null, header)
}

function empty(collecting: Collecting, schema: string, table: string, header: EventHeader): Working {
  const { listener, place, scope, open } = collecting
  const position = place.text()
  if (!scope.isHeard(schema, table)) return drop(collecting, open, header)
  open?.events.close()
  collecting.open = null
  const change = { schema, table, kind: 'truncate', before: null, isBeforeWhole: false, after: null } as const
  return listener.take({
    name: open?.start.name ?? position,
    position,
    time: header.time * 1000,
    told: [],
    count: 1,
    isReshaped: true,
    isBeat: false,
    changes: () => [change],
    close: () => undefined,
  })
}

function endPrepared(collecting: Collecting, name: string, isCommitted: boolean, header: EventHeader): Working {
  const transaction = collecting.prepared.get(name) ?? null
  collecting.prepared.delete(name)
  collecting.open?.events.close()
  if (!isCommitted) return drop(collecting, transaction, header)
  if (transaction === null) throw lost('a transaction was prepared before the log was read, and is committed now')
  return commit(collecting, transaction, header)
}

/** A statement that stands for rows, or ends a transaction. */
function takeStatement(collecting: Collecting, { schema, text }: LoggedStatement, header: EventHeader): Working {
  const { scope, open } = collecting
  const meaning = meaningOf(text)
  const touches = () => scope.hasHeard(schema) || [...scope.schemas()].some((name) => text.includes(name))
  switch (meaning.kind) {
    case 'begin':
      collecting.open ??= opened(BEGUN_BY_STATEMENT)
      return null
    case 'commit':
      return commit(collecting, open, header)
    case 'rollback':
      return drop(collecting, open, header)
    case 'commitPrepared':
    case 'rollbackPrepared':
      return endPrepared(collecting, meaning.name, meaning.kind === 'commitPrepared', header)
    case 'empty':
      return empty(collecting, meaning.schema ?? schema, meaning.table, header)
    case 'unknown':
      if (touches()) throw lost(AS_STATEMENTS)
      break
    case 'shape':
      if (touches()) collecting.isReshaped = true
      break
    default:
  }
  return open?.start.isStandalone === true ? commit(collecting, open, header) : null
}

function prepare(collecting: Collecting, event: Buffer, header: EventHeader): Working {
  const { open, prepared } = collecting
  const name = readPrepared(event)
  if (open === null || name === null) return commit(collecting, open, header)
  prepared.set(name, open)
  collecting.open = null
  return null
}

function takeEvent(collecting: Collecting, event: Buffer, header: EventHeader): Working {
  const { type } = header
  if (isRowsEvent(type)) {
    collecting.open ??= opened(BEGUN_BY_STATEMENT)
    keepRows(collecting, event, type, collecting.open)
    return null
  }
  switch (type) {
    case e.transaction:
      collecting.open?.events.close()
      collecting.open = opened(readTransactionStart(event))
      return null
    case e.tableMap: {
      const { isNew, ready } = collecting.tables.describe(event)
      if (isNew) collecting.isReshaped = true
      return ready
    }
    case e.commit:
      return commit(collecting, collecting.open, header)
    case e.prepared:
      return prepare(collecting, event, header)
    case e.query:
    case e.compressedQuery:
      return takeStatement(collecting, readStatement(event, type === e.compressedQuery), header)
    case e.executeLoad:
      throw lost(AS_STATEMENTS)
    case e.incident:
      throw lost('the server says that changes are missing in its log')
    default:
      return null
  }
}

/** Collects the events of each transaction and hands it over when it is committed. */
export function createCollector(
  listener: OutsideListener,
  scope: BinlogScope,
  from: BinlogPosition,
  options: LogOptions,
) {
  const place = createPlace(from)
  const tables = createTables(scope)
  const collecting: Collecting = {
    listener,
    scope,
    options,
    place,
    tables,
    prepared: new Map(),
    open: null,
    isReshaped: false,
  }
  return {
    stamp: place.stamp,
    take(event: Buffer): Working {
      const header = readHeader(event)
      if (header.type === e.rotate) place.rotate(event)
      else place.advance(header)
      if (header.type === e.description) place.describe(header)
      return takeEvent(collecting, event, header)
    },
    close() {
      collecting.open?.events.close()
      for (const transaction of collecting.prepared.values()) transaction.events.close()
    },
  }
}

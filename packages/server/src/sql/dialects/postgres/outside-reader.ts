import { LogicalReplicationService } from 'pg-logical-replication'
import type { Client, ClientConfig } from 'pg'
import { escapeIdentifier, escapeLiteral } from 'pg'
import { createSpilledList, type SpilledList } from '../../../lib/spilled-list.ts'
import type {
  LogOptions,
  OutsideChange,
  OutsideListener,
  OutsideReader,
  OutsideTransaction,
  ToldItem,
} from '../../outside.ts'
import {
  isInsert,
  logPosition,
  positionNumber,
  readMessage,
  tableOf,
  type LogMessage,
  type LogRelation,
} from './pgoutput.ts'

/** The server takes a reader for dead that says nothing for `wal_sender_timeout`. */
const CONFIRM_INTERVAL = 1000
const CLOSE_WAIT = 2000
/** What a transaction may hold in memory. */
const HELD_BYTES = 8 * 1024 ** 2

/** The first version that can put messages into the stream. */
const KNOWS_MESSAGES = 140_000

export const outboxPublication = (slot: string): string => `${slot}_outbox`

/** Hands messages over as they are; those of the library turn values into numbers and dates, and round them. */
const wholeMessages = (publications: readonly string[], arrived: () => void) => ({
  options: null,
  name: 'pgoutput',
  async start(client: Client, slot: string, position: string): Promise<unknown> {
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
    const beats = Number(rows[0]?.server_version_num) >= KNOWS_MESSAGES ? `, messages 'true'` : ''
    const names = escapeLiteral(publications.map((name) => escapeIdentifier(name)).join(','))
    return client.query(
      `START_REPLICATION SLOT ${escapeIdentifier(slot)} LOGICAL ${position} (proto_version '1', publication_names ${names}${beats})`,
    )
  },
  parse(message: Buffer): Buffer {
    arrived()
    // The driver uses its buffer again.
    return Buffer.from(message)
  },
})

/** The changes of a transaction that is not committed yet, as far as it has come. */
interface OpenTransaction {
  readonly number: number
  /** The tables as the log has described them before. */
  readonly relations: ReadonlyMap<number, LogRelation>
  readonly messages: SpilledList
  readonly told: ToldItem[]
  count: number
  isReshaped: boolean
  isBeat: boolean
}

type RowMessage = Extract<LogMessage, { kind: 'create' | 'update' | 'delete' }>

const ofRow = (message: RowMessage, { schema, name }: LogRelation): OutsideChange => ({
  schema,
  table: name,
  kind: message.kind,
  before: message.kind === 'create' ? null : message.before,
  isBeforeWhole: message.kind !== 'create' && message.isBeforeWhole,
  after: message.kind === 'delete' ? null : message.after,
})

const emptied = ({ schema, name }: LogRelation): OutsideChange => ({
  schema,
  table: name,
  kind: 'truncate',
  before: null,
  isBeforeWhole: false,
  after: null,
})

function* changesIn({ messages, relations: before }: OpenTransaction): Generator<OutsideChange> {
  const relations = new Map(before)
  for (const bytes of messages.read()) {
    const message = readMessage(bytes, relations)
    if (message.kind === 'truncate') {
      for (const id of message.ids) {
        const relation = relations.get(id)
        if (relation !== undefined) yield emptied(relation)
      }
    } else if (message.kind === 'create' || message.kind === 'update' || message.kind === 'delete') {
      const relation = relations.get(message.id)
      if (relation !== undefined) yield ofRow(message, relation)
    }
  }
}

const committedAs = (
  transaction: OpenTransaction,
  { end, time }: Extract<LogMessage, { kind: 'commit' }>,
): OutsideTransaction => ({
  name: String(transaction.number),
  position: end,
  time,
  told: transaction.told,
  count: transaction.count,
  isReshaped: transaction.isReshaped,
  isBeat: transaction.isBeat,
  changes: () => changesIn(transaction),
  close: transaction.messages.close,
})

/** Collects the messages of each transaction and hands it over when it is committed. */
function createCollector(listener: OutsideListener, { systemSchema }: LogOptions) {
  /** Replaced, never changed: transactions that wait have the tables of their time. */
  let relations = new Map<number, LogRelation>()
  const descriptions = new Map<number, Buffer>()
  let open: OpenTransaction | null = null

  const isOutbox = (id: number | null): boolean => {
    const relation = id === null ? undefined : relations.get(id)
    return relation?.name === 'service_outbox' && relation.schema === systemSchema
  }

  function keep(bytes: Buffer, transaction: OpenTransaction): void {
    if (!isOutbox(tableOf(bytes))) {
      transaction.messages.push(bytes)
      transaction.count += 1
      return
    }
    const message = isInsert(bytes) ? readMessage(bytes, relations) : null
    if (message?.kind !== 'create') return
    const { collection, item } = message.after
    transaction.told.push({ collection: collection ?? '', item: item ?? '' })
  }

  return {
    isOpen: () => open !== null,
    async take(bytes: Buffer): Promise<void> {
      const kind = String.fromCharCode(bytes[0] ?? 0)
      if (kind === 'R') {
        const id = bytes.readInt32BE(1)
        // The server describes a table also when only its statistics are new.
        if (descriptions.get(id)?.equals(bytes) === true) return
        descriptions.set(id, bytes)
        relations = new Map(relations)
        readMessage(bytes, relations)
        open?.messages.push(bytes)
        if (open !== null) open.isReshaped = true
      } else if (kind === 'B') {
        const begun = readMessage(bytes, relations)
        const number = begun.kind === 'begin' ? begun.transaction : 0
        open = {
          number,
          relations,
          messages: createSpilledList(HELD_BYTES),
          told: [],
          count: 0,
          isReshaped: false,
          isBeat: false,
        }
      } else if (kind === 'C' && open !== null) {
        const committed = readMessage(bytes, relations)
        const transaction = open
        open = null
        if (committed.kind !== 'commit') return
        await listener.take(committedAs(transaction, committed))
      } else if (open !== null && kind === 'M') open.isBeat = true
      else if (open !== null && /[IUDT]/u.test(kind)) keep(bytes, open)
    },
    close: () => open?.messages.close(),
  }
}

/** Hands over what arrives, message by message; tells where the log is when all of it was handed over. */
function handOver(service: LogicalReplicationService, listener: OutsideListener, options: LogOptions) {
  const collector = createCollector(listener, options)
  const state = { arrived: 0, handled: 0, isOver: false }
  const fail = (error: unknown) => {
    if (!state.isOver) listener.failed(error)
    state.isOver = true
  }
  service.on('data', async (_: string, bytes: Buffer) => {
    // After an error the library goes on with the next message.
    if (state.isOver) return
    try {
      await collector.take(bytes)
      state.handled += 1
    } catch (error) {
      fail(error)
    }
  })
  service.on('heartbeat', (position: string) => {
    if (state.arrived === state.handled && !collector.isOpen()) listener.reached(position)
  })
  service.on('error', fail)
  return { state, fail, close: collector.close }
}

/** Reads the log from the slot's place on. */
export async function readLog(
  config: ClientConfig,
  listener: OutsideListener,
  options: LogOptions,
): Promise<OutsideReader> {
  // The library's own confirmations tell the server what has merely arrived.
  const service = new LogicalReplicationService(config, {
    acknowledge: { auto: false, timeoutSeconds: 0 },
    flowControl: { enabled: true },
  })
  const { state, fail, close } = handOver(service, listener, options)
  let confirmed: string | null = null
  const tell = () => {
    // The library adds one, and the server would skip a commit that begins exactly there.
    if (confirmed !== null && !state.isOver) void service.acknowledge(logPosition(positionNumber(confirmed) - 1n))
  }
  const timer = setInterval(tell, CONFIRM_INTERVAL)
  timer.unref()
  const plugin = wholeMessages([options.slot, outboxPublication(options.slot)], () => {
    state.arrived += 1
  })
  const end = async () => {
    state.isOver = true
    clearInterval(timer)
    close()
    const late = new Promise((resolve) => setTimeout(resolve, CLOSE_WAIT).unref())
    await Promise.race([service.destroy().catch(() => undefined), late])
  }
  const began = new Promise<void>((resolve) => void service.once('start', resolve))
  const ended = service.subscribe(plugin, options.slot).then(() => {
    throw new Error('the server has ended the log')
  })
  ended.catch(fail)
  try {
    await Promise.race([began, ended])
  } catch (error) {
    await end()
    throw error
  }
  return {
    confirm: (position) => {
      confirmed = position
      tell()
    },
    close: end,
  }
}

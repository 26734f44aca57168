import { randomInt } from 'node:crypto'
import type { Connection, ConnectionOptions } from 'mysql2'
import { DatabaseError } from '../../driver.ts'
import { eventTypes } from './binlog-events.ts'
import { open } from './connection.ts'
import { toConnectionError, toDatabaseError } from './errors.ts'
import type { Packet } from './wire.ts'

/** The parts of mysql2 that its typings leave out: a command gets packets until it says that it is done. */
interface DumpPacket extends Packet {
  readonly offset: number
  isError(): boolean
  asError(encoding: string): Error
}
interface DumpWire {
  readonly stream: { destroy(): void }
  sequenceId: number
  write(bytes: Buffer): void
  addCommand(command: DumpCommand): void
}
interface DumpCommand {
  readonly onResult: (error: Error) => void
  readonly execute: (packet: DumpPacket | undefined) => boolean
}

const DUMP = 0x12
/** Servers number themselves from 1 on; two readers of the same number would push each other out. */
const FIRST_READER = 2 ** 31
const LAST_READER = 2 ** 32 - 1
const HEARTBEAT_SECONDS = 5
/** A server that sends neither changes nor heartbeats is gone. */
const SILENCE = 30_000
/** A slow reader must not be taken for one that is gone. */
const WRITE_SECONDS = 3600

/** 4: the reader knows the events of MariaDB. A reader that knows checksums gets them wherever the files have them. */
const SETTINGS = `set @mariadb_slave_capability = 4, @master_binlog_checksum = 'NONE',
  @master_heartbeat_period = ${HEARTBEAT_SECONDS}000000000, session net_write_timeout = ${WRITE_SECONDS}`

const run = (wire: Connection, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    wire.query({ sql: text }, (error) => (error === null ? resolve() : reject(toDatabaseError(error, text))))
  })

function dumpRequest(file: string, offset: number): Buffer {
  const name = Buffer.from(file)
  const request = Buffer.alloc(4 + 11 + name.length)
  request.writeUIntLE(11 + name.length, 0, 3)
  request.writeUInt8(DUMP, 4)
  request.writeUInt32LE(offset, 5)
  request.writeUInt32LE(randomInt(FIRST_READER, LAST_READER), 11)
  name.copy(request, 15)
  return request
}

export interface Dump {
  readonly close: () => void
}

export interface DumpListener {
  /** The bytes are used again after the call. While a promise is open, the server waits. */
  readonly event: (bytes: Buffer) => Promise<void> | null
  /** Nothing more will come. */
  readonly failed: (error: DatabaseError) => void
}

const CHECKSUM = 4

/** Leaves checksums out: connections have their own. The description of a file says whether it has them. */
function createTrim(): (event: Buffer) => Buffer {
  let trailing = 0
  return (event) => {
    const isDescription = event[4] === eventTypes.description
    if (isDescription) trailing = event.at(-CHECKSUM - 1) === 1 ? CHECKSUM : 0
    return isDescription ? event : event.subarray(0, event.length - trailing)
  }
}

/** Fails once the server has been silent for too long. */
function createWatch(fail: (error: Error) => void) {
  let heard = performance.now()
  let isPaused = false
  const timer = setInterval(() => {
    if (!isPaused && performance.now() - heard > SILENCE) fail(new Error('the server has fallen silent'))
  }, SILENCE / 4)
  timer.unref()
  return {
    hear: () => {
      heard = performance.now()
    },
    pause: (paused: boolean) => {
      isPaused = paused
      heard = performance.now()
    },
    stop: () => clearInterval(timer),
  }
}

/** Who opens the log is told of a failure, and the listener once it is open. */
function createOpening(listener: DumpListener) {
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
  let tell: DumpListener['failed'] = reject
  const done = () => {
    tell = listener.failed
    resolve()
  }
  return { opened, done, failed: (error: DatabaseError) => tell(error) }
}

/** Connects as a replica does, and has the log sent from a place on. */
export async function openDump(
  config: ConnectionOptions,
  { file, offset }: { readonly file: string; readonly offset: number },
  listener: DumpListener,
): Promise<Dump> {
  const wire = open(config)
  const dump = wire as unknown as DumpWire
  const trim = createTrim()
  const opening = createOpening(listener)
  let isOver = false
  const close = () => {
    isOver = true
    watch.stop()
    wire.destroy()
    // mysql2 only says that it sends nothing more, and the server goes on sending.
    dump.stream.destroy()
  }
  const fail = (error: unknown) => {
    if (isOver) return
    close()
    opening.failed(error instanceof DatabaseError ? error : toConnectionError(error))
  }
  const watch = createWatch(fail)
  wire.on('error', fail)
  wire.on('end', () => fail(new Error('the connection ended')))
  run(wire, SETTINGS).then(opening.done, fail)
  await opening.opened

  function deliver(packet: DumpPacket): void {
    watch.hear()
    if (packet.isError()) return fail(toDatabaseError(packet.asError('utf8')))
    if (packet.isEOF()) return fail(new Error('the server has ended the log'))
    // A byte that says that this is no error comes first.
    const working = listener.event(trim(packet.buffer.subarray(packet.offset + 1, packet.end)))
    if (working === null) return
    wire.pause()
    watch.pause(true)
    working.then(() => {
      watch.pause(false)
      if (!isOver) wire.resume()
    }, fail)
  }

  dump.addCommand({
    onResult: fail,
    execute(packet) {
      if (packet === undefined) {
        dump.write(dumpRequest(file, offset))
        dump.sequenceId = 1
      } else if (!isOver) {
        try {
          deliver(packet)
        } catch (error) {
          fail(error)
        }
      }
      return false
    },
  })
  return { close }
}

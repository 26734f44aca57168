import type { ConnectionOptions } from 'mysql2'
import { DatabaseError } from '../../driver.ts'
import type { LogOptions, OutsideListener, OutsideReader } from '../../outside.ts'
import { openDump } from './binlog-connection.ts'
import { eventTypes, readHeader } from './binlog-events.ts'
import type { BinlogPosition } from './binlog-position.ts'
import { createCollector } from './outside-collector.ts'
import { lost, OFFSETS, type BinlogScope } from './outside-place.ts'

/** What cannot be read now cannot be read later: the next reader has to begin behind it. */
function understood<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof DatabaseError ? error : lost(`the log cannot be understood: ${String(error)}`)
  }
}

/** Reads the log from a place on. Resolves once the server has sent something of it. */
export async function readBinlog(
  config: ConnectionOptions,
  from: BinlogPosition,
  listener: OutsideListener,
  scope: BinlogScope,
  options: LogOptions,
): Promise<Pick<OutsideReader, 'close'>> {
  if (from.offset >= OFFSETS) throw lost('the place is behind the first 4 GB of its file, which cannot be asked for')
  const collector = createCollector(listener, scope, from, options)
  const began = Promise.withResolvers<void>()
  let hasBegun = false
  const dump = await openDump(config, from, {
    event(bytes) {
      const working = understood(() => collector.take(bytes))
      if (!hasBegun && collector.stamp() !== null) {
        hasBegun = true
        began.resolve()
      }
      return working
    },
    failed(error) {
      collector.close()
      if (hasBegun) listener.failed(error)
      else began.reject(error)
    },
  })
  await began.promise
  return {
    close() {
      dump.close()
      collector.close()
      return Promise.resolve()
    },
  }
}

/** When the file was begun and by whom, see `BinlogPosition`. */
export async function stampOf(config: ConnectionOptions, file: string): Promise<string> {
  const found = Promise.withResolvers<string>()
  const dump = await openDump(
    config,
    { file, offset: 4 },
    {
      event(bytes) {
        const { type, time, server } = readHeader(bytes)
        if (type === eventTypes.description) found.resolve(`${server}-${time}`)
        return null
      },
      failed: found.reject,
    },
  )
  return found.promise.finally(dump.close)
}

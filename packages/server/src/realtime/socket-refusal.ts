import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@tain/contract'
import { faultToError, isDatabaseError } from '../engine/faults.ts'

/** What is told of an error. Unexpected ones are masked; their own message goes to the log only. */
export function shownError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (isDatabaseError(error)) return faultToError(error, false)
  return new ServiceError('INTERNAL_SERVER_ERROR', undefined, {}, { cause: error })
}

/** Answers an upgrade with an ordinary response, and ends the connection. */
export function refuseUpgrade(socket: Duplex, error: ServiceError, status = error.status): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy()
  const body = JSON.stringify({ errors: [error.toWire()] })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    ...(status === 429 || status === 503 ? ['retry-after: 1'] : []),
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import { METHODS } from './cors.ts'
import { errorBody } from './errors.ts'

interface Refusal {
  readonly error: ServiceError
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const notHttp: Refusal = { error: invalidPayload('The request is not valid HTTP/1.1') }

/** What Node's parser refuses before a request exists, by its code. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_METHOD: {
    error: new ServiceError('METHOD_NOT_ALLOWED', 'The service does not know this method.', {
      allowed: METHODS.split(','),
    }),
    headers: { allow: METHODS.replaceAll(',', ', ') },
  },
  HPE_INVALID_URL: {
    error: invalidQuery(
      'The address holds a character that it cannot; percent-encode it, such as "%C4%8D" for "č" and "%20" for a space',
    ),
  },
  HPE_HEADER_OVERFLOW: {
    error: new ServiceError(
      'CONTENT_TOO_LARGE',
      'Address and headers are larger than 16 KB; long queries go with SEARCH.',
    ),
    status: 431,
  },
}

/** A whole response, because there is no request that a route could answer. */
function responseTo({ error, status = error.status, headers = {} }: Refusal): string {
  const body = errorBody([error])
  const lines = Object.entries({
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n')
}

/** Answers requests that Node's parser refuses, in the form of all errors. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { code = '' } = error
  if (code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable && code !== 'ERR_HTTP_REQUEST_TIMEOUT') socket.write(responseTo(refusals[code] ?? notHttp))
  if (socket.writable && code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.write(TOO_SLOW)
  socket.destroy(error)
}

/** A client that sends too slowly gets a status without a body: it is still sending, and reads none. */
export const TOO_SLOW = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

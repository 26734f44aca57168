import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
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

const unknownMethod: Refusal = {
  error: new ServiceError('METHOD_NOT_ALLOWED', 'The service does not know this method.', {
    allowed: METHODS.split(','),
  }),
  headers: { allow: METHODS.replaceAll(',', ', ') },
}

/** What Node's parser refuses before a request exists, by its code. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_METHOD: unknownMethod,
  HPE_INVALID_URL: {
    error: invalidQuery(
      'The address contains a character that has to be percent-encoded, such as "%C4%8D" for "č" and "%20" for a space',
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

const noHost: Refusal = { error: invalidPayload('A request by HTTP/1.1 needs the header "Host"') }

const unknownExpectation: Refusal = {
  error: invalidPayload('The header "Expect" can only be "100-continue"'),
  status: 417,
}

const headersOf = (body: string, headers: Refusal['headers'] = {}) => ({
  'x-request-id': randomUUID(),
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  connection: 'close',
  ...headers,
})

/** A whole response, because there is no request that a route could answer. */
function responseTo({ error, status = error.status, headers }: Refusal): string {
  const body = errorBody([error])
  const lines = Object.entries(headersOf(body, headers)).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n')
}

function refuse(response: ServerResponse, { error, status = error.status }: Refusal): void {
  const body = errorBody([error])
  response.writeHead(status, headersOf(body)).end(body)
}

/** Whether the request was answered, because HTTP/1.1 does not allow it without a host. */
export function refuseWithoutHost({ httpVersion, headers }: IncomingMessage, response: ServerResponse): boolean {
  if (httpVersion !== '1.1' || headers.host !== undefined) return false
  refuse(response, noHost)
  return true
}

/** Node answers these without a body, or not at all, as long as nothing listens. */
export function refuseUnusualRequests(server: Server): void {
  server.on('checkExpectation', (_, response) => refuse(response, unknownExpectation))
  server.on('connect', (_, socket) => socket.end(responseTo(unknownMethod)))
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

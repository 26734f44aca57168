import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestSecure } from 'node:https'
import { AddressRefused, checkedLookup, isRefusedLiteral, type IsAllowedAddress } from './outside-addresses.ts'
import type { OutsideConnections } from './outside-connections.ts'

export interface OutsideRequest {
  readonly url: URL
  readonly isAllowed: IsAllowedAddress
  /** Ends the request and the body of its response. */
  readonly signal: AbortSignal
  /** How many redirects are followed. */
  readonly redirects: number
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Without them, each request opens a connection and closes it. */
  readonly connections?: OutsideConnections
}

/** The address of a server, or null if it is none: other schemes, and names or passwords inside. */
export function outsideUrl(text: unknown): URL | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = url.username === '' && url.password === '' && url.hostname !== ''
  return isPlain && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null
}

/**
 * Asks a server that a caller has named. Nothing of the caller is sent along, and no proxy of the environment is used. The
 * addresses of the server are checked for each request, also if it uses a kept connection.
 */
export async function requestOutside(given: OutsideRequest): Promise<IncomingMessage> {
  let url = given.url
  for (let left = given.redirects; ; left -= 1) {
    const response = await send(url, given)
    const next = redirectOf(response, url)
    if (next === null || given.redirects === 0) return response
    response.destroy()
    if (left === 0 || next === 'invalid') throw new AddressRefused()
    url = next
  }
}

const isRedirect = (status: number | undefined) => status !== undefined && [301, 302, 303, 307, 308].includes(status)

function redirectOf({ statusCode, headers: { location } }: IncomingMessage, from: URL): URL | 'invalid' | null {
  if (!isRedirect(statusCode) || location === undefined) return null
  return (URL.canParse(location, from) ? outsideUrl(new URL(location, from).href) : null) ?? 'invalid'
}

async function send(url: URL, given: OutsideRequest): Promise<IncomingMessage> {
  // A connection to an address resolves no name, so it is checked here.
  if (isRefusedLiteral(url, given.isAllowed)) throw new AddressRefused()
  if (given.connections === undefined) return exchange(url, given, fresh(given))
  const kept = await given.connections.to(url, given)
  try {
    return await exchange(url, given, kept)
  } catch (error) {
    // The server closed the connection before it received the request.
    if (error instanceof ConnectionWasClosed) return exchange(url, given, { ...kept, agent: false })
    throw error
  }
}

const fresh = ({ isAllowed }: OutsideRequest): RequestOptions => ({ agent: false, lookup: checkedLookup(isAllowed) })

class ConnectionWasClosed extends Error {}

const isClosed = (error: Error) => 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

function exchange(
  url: URL,
  { signal, method = 'GET', headers, body }: OutsideRequest,
  connection: RequestOptions,
): Promise<IncomingMessage> {
  const options: RequestOptions = {
    ...connection,
    method,
    signal,
    // Compressed content could be far larger than what is counted.
    headers: { 'user-agent': 'tain', 'accept-encoding': 'identity', ...headers },
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, options, resolve)
    request.on('error', (error) => reject(request.reusedSocket && isClosed(error) ? new ConnectionWasClosed() : error))
    // An answer that begins another protocol is neither a response nor an error.
    request.on('close', () => reject(new Error('The connection ended without a response.')))
    request.end(body)
  })
}

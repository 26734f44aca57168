import { invalidPayload } from '@tain/contract'
import type { FastifyRequest } from 'fastify'
import type { Browser } from './browser.ts'

/** The raw query string; it is parsed on demand, often not at all. */
export const rawQuery = (request: FastifyRequest): string => {
  const { url } = request.raw
  const at = url === undefined ? -1 : url.indexOf('?')
  return url === undefined || at === -1 ? '' : url.slice(at + 1)
}

export const withoutToken = (query: string): string =>
  query.includes('access_token=') ? query.replace(/(^|&)access_token=[^&]*/gu, '').replace(/^&/u, '') : query

export interface Carried {
  readonly token: string | null
  readonly isCookie: boolean
}

/** The token of a request: from the URL or the header, otherwise from the session cookie. */
export function tokenOf(request: FastifyRequest, { browser }: { readonly browser: Browser }): Carried {
  const query = rawQuery(request)
  const inAddress = query.includes('access_token=') ? tokenInAddress(query) : null
  const inHeader = tokenInHeader(request.headers.authorization)
  // RFC 6750, section 2: only one method per request.
  if (inAddress !== null && inHeader !== null)
    throw invalidPayload('The token is in the address and in the header; send it once')
  const token = inAddress ?? inHeader
  if (token !== null) return { token, isCookie: false }
  const cookie = browser.cookies.read(request).session
  return { token: cookie, isCookie: cookie !== null }
}

/** Schemes other than Bearer are ignored. */
const tokenInHeader = (header: string | undefined): string | null =>
  header === undefined ? null : (/^Bearer +(\S+)$/iu.exec(header)?.[1] ?? null)

function tokenInAddress(query: string): string | null {
  const found = [...query.matchAll(/(?:^|&)access_token=([^&]*)/gu)].map(([, value = '']) => value)
  if (found.length > 1) throw invalidPayload('The address has more than one access_token')
  const [value = ''] = found
  if (value === '') return null
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

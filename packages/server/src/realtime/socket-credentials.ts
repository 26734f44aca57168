import type { IncomingMessage } from 'node:http'
import { forbidden, invalidPayload } from '@tain/contract'
import { cookieValue } from '../lib/cookie-value.ts'

/** What an upgrade needs to know of the service's own origins and cookies. */
export interface CookieRules {
  readonly sessionCookie: string
  readonly publicUrl: string | null
  /** Origins that may send cookies; `*` names none. */
  readonly origins: readonly string[]
}

/** The token that came with an upgrade; null: there is none. */
export function tokenOfUpgrade({ url = '', headers }: IncomingMessage, rules: CookieRules): string | null {
  const at = url.indexOf('?')
  const inAddress = new URLSearchParams(at === -1 ? '' : url.slice(at + 1)).getAll('access_token')
  if (inAddress.length > 1) throw invalidPayload('The address has more than one access_token')
  const inHeader = /^Bearer +(\S+)$/iu.exec(headers.authorization ?? '')?.[1] ?? null
  const [token = ''] = inAddress
  if (token !== '' && inHeader !== null)
    throw invalidPayload('The token is in the address and in the header; send it once')
  if (token !== '') return token
  if (inHeader !== null) return inHeader
  const cookie = cookieValue(headers.cookie, rules.sessionCookie)
  if (cookie !== null && isForeign(headers, rules)) throw forbidden()
  return cookie
}

/** A page of another site could open a socket in the name of its visitor. Programs send no origin. */
function isForeign({ origin, host }: IncomingMessage['headers'], { publicUrl, origins }: CookieRules): boolean {
  if (origin === undefined) return false
  if (origin !== '*' && origins.includes(origin)) return false
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}

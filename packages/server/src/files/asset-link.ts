import { createHmac } from 'node:crypto'
import { isEqualText } from '../lib/equal-text.ts'

/** What a link opens: one asset with these parameters, for as long as its maker may read the row. */
export interface AssetLink {
  readonly id: string
  /** Who made it. */
  readonly user: string
  /** In seconds since 1970. */
  readonly expires: number
  /** The parameters of the asset, several values of one name included. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

const OWN = ['user', 'expires', 'signature']

function signatureOf({ id, user, expires, parameters }: AssetLink, key: Buffer): string {
  const sorted = parameters.map((pair) => JSON.stringify(pair)).sort()
  return createHmac('sha256', key)
    .update(JSON.stringify([id, user, expires, sorted]))
    .digest('base64url')
}

/** The query string of a link. */
export function signedQuery(link: AssetLink, key: Buffer): string {
  const { user, expires, parameters } = link
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]))
  query.append('user', user)
  query.append('expires', String(expires))
  query.append('signature', signatureOf(link, key))
  return query.toString()
}

/** The link that a query string is; null: none, one that was changed, or one that has expired. `now` is in seconds. */
export function openedLink(id: string, query: URLSearchParams, key: Buffer, now: number): AssetLink | null {
  const [user, expires, signature] = OWN.map((name) => only(query.getAll(name)))
  if (user === null || user === undefined || !/^\d{1,12}$/u.test(expires ?? '')) return null
  const parameters = [...query].filter(([name]) => !OWN.includes(name))
  const link = { id, user, expires: Number(expires), parameters }
  return isEqualText(signature, signatureOf(link, key)) && now < link.expires ? link : null
}

const only = (values: readonly string[]): string | null => (values.length === 1 ? values[0]! : null)

import { createHmac } from 'node:crypto'
import { isEqualText } from '../lib/equal-text.ts'

/** What a link opens: one asset with these parameters, while its maker may read the row and has not revoked it. */
export interface AssetLink {
  readonly id: string
  /** Who made it. */
  readonly user: string
  /** In seconds since 1970. */
  readonly expires: number
  /** The parameters of the asset, several values of one name included. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

export interface OpenedLink extends AssetLink {
  /** Whether it was made in this generation of the links of its maker. */
  readonly isOf: (generation: string) => boolean
}

const OWN = ['user', 'expires', 'signature']

/** Characters of a signature that stand for the generation. */
const MARK = 16

const hmac = (key: Buffer, ...content: readonly unknown[]): string =>
  createHmac('sha256', key).update(JSON.stringify(content)).digest('base64url')

const markOf = (user: string, generation: string, key: Buffer): string =>
  hmac(key, 'generation', user, generation).slice(0, MARK)

/** Begins with the mark of the generation, so a forged link is refused without asking the database. */
function signatureOf({ id, user, expires, parameters }: AssetLink, mark: string, key: Buffer): string {
  const sorted = parameters.map((pair) => JSON.stringify(pair)).sort()
  return `${mark}${hmac(key, id, user, expires, sorted, mark)}`
}

/** The query string of a link. `generation` is that of the links of its maker. */
export function signedQuery(link: AssetLink, generation: string, key: Buffer): string {
  const { user, expires, parameters } = link
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]))
  query.append('user', user)
  query.append('expires', String(expires))
  query.append('signature', signatureOf(link, markOf(user, generation, key), key))
  return query.toString()
}

/** The link that a query string is; null: none, one that was changed, or one that has expired. `now` is in seconds. */
export function openedLink(id: string, query: URLSearchParams, key: Buffer, now: number): OpenedLink | null {
  const [user, expires, signature] = OWN.map((name) => only(query.getAll(name)))
  if (user === null || user === undefined || !/^\d{1,12}$/u.test(expires ?? '')) return null
  const parameters = [...query].filter(([name]) => !OWN.includes(name))
  const link = { id, user, expires: Number(expires), parameters }
  const mark = (signature ?? '').slice(0, MARK)
  if (!isEqualText(signature, signatureOf(link, mark, key)) || now >= link.expires) return null
  return { ...link, isOf: (generation) => isEqualText(mark, markOf(user, generation, key)) }
}

const only = (values: readonly string[]): string | null => (values.length === 1 ? values[0]! : null)

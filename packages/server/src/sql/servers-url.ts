/** Which servers of a list are used: any that answers, or only one that takes writes. */
const wanted = { any: 'any', 'read-write': 'writable', primary: 'writable' } as const

export type WantedServer = (typeof wanted)[keyof typeof wanted]

/** The names that `target_session_attrs` takes here. */
export const sessionAttributes = Object.keys(wanted) as readonly (keyof typeof wanted)[]

export interface Servers {
  /** One URL for each server, in the order given. */
  readonly urls: readonly [string, ...string[]]
  /** Null: the URL does not say. */
  readonly wants: WantedServer | null
}

const parts = /^([a-z]+:\/\/)(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/u

/**
 * Splits the URL of several servers, as libpq writes it: `postgres://user@a:5432,b:5433/name`, or with `host` and `port`
 * as lists in the query. Null: it is no such URL.
 */
export function serversIn(url: string): Servers | null {
  const found = parts.exec(url)
  if (found === null) return URL.canParse(url) ? { urls: [url], wants: null } : null
  const [, scheme = '', credentials = '', authority = '', path = '', query] = found
  const search = new URLSearchParams(query)
  const attribute = search.get('target_session_attrs')
  if (attribute !== null && !Object.hasOwn(wanted, attribute)) return null
  const hosts = authority === '' ? hostsIn(search) : authority.split(',')
  for (const name of ['target_session_attrs', ...(authority === '' && hosts.length > 1 ? ['host', 'port'] : [])])
    search.delete(name)
  const rest = `${path}${search.size === 0 ? '' : `?${search.toString()}`}`
  const user = credentials === '' ? '' : `${credentials}@`
  const isOne = hosts.length <= 1
  const [first, ...others] = isOne
    ? [`${scheme}${user}${authority}${rest}`]
    : hosts.map((host) => `${scheme}${user}${host}${rest}`)
  if (first === undefined || ![first, ...others].every((each) => URL.canParse(each))) return null
  const wants = attribute === null ? null : wanted[attribute as keyof typeof wanted]
  return { urls: [first, ...others], wants }
}

/** `host=a,b&port=1,2`: one port for all, or one for each. */
function hostsIn(search: URLSearchParams): readonly string[] {
  const hosts = (search.get('host') ?? '').split(',')
  const ports = (search.get('port') ?? '').split(',')
  return hosts.map((host, at) => {
    const port = ports.length === 1 ? ports[0] : ports[at]
    return port === undefined || port === '' ? host : `${host}:${port}`
  })
}

/** The first server of a URL that was checked before. */
export const firstServer = (url: string): URL => new URL(serversIn(url)?.urls[0] ?? url)

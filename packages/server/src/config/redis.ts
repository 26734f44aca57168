import { asDuration, asFlag, asNumber, asSize, asText, fail, type Rows } from './readers.ts'

export interface RedisHost {
  readonly host: string
  readonly port: number
}

/** The servers of a REDIS_URL. */
export interface RedisServers {
  /** `single`: the first host that takes writes; `sentinel`: the hosts name the primary; `cluster`: the hosts name the nodes. */
  readonly mode: 'single' | 'sentinel' | 'cluster'
  readonly hosts: readonly [RedisHost, ...RedisHost[]]
  readonly isEncrypted: boolean
  readonly username: string | null
  readonly password: string | null
  readonly database: number
  /** Of Sentinel: the name of the primary, and the password of the Sentinels themselves. */
  readonly primaryName: string | null
  readonly sentinelPassword: string | null
}

export interface RedisConfig {
  readonly redis: RedisServers | null
  readonly redisPrefix: string
  readonly redisTimeout: number
  readonly isCached: boolean
  readonly cacheTtl: number
  readonly cacheSize: number
  /** In milliseconds; null: no response is for shared caches. */
  readonly publicCacheTtl: number | null
}

export const redisSettings: Rows<RedisConfig> = {
  redis: {
    name: 'REDIS_URL',
    fallback: null,
    read: asRedisServers,
    what: 'Redis that replicas share; optional: redis://host, redis+sentinel://host1,host2/name or redis+cluster://host1,host2',
  },
  redisPrefix: {
    name: 'REDIS_PREFIX',
    fallback: 'tain',
    read: asText,
    what: 'first part of all keys and channels in Redis; services that share one need different ones',
  },
  redisTimeout: {
    name: 'REDIS_TIMEOUT',
    fallback: 100,
    read: asNumber(1, 10_000),
    what: 'milliseconds to wait for Redis, before the process continues without it',
  },
  isCached: {
    name: 'CACHE_ENABLED',
    fallback: false,
    read: asFlag,
    what: 'cache the rows of reads, in memory and in Redis; writes by other programs show after CACHE_TTL',
  },
  cacheTtl: {
    name: 'CACHE_TTL',
    fallback: 300_000,
    read: (text) => asNumber(1)(String(asDuration(text))),
    what: 'longest time that cached rows are used',
  },
  cacheSize: {
    name: 'CACHE_SIZE',
    fallback: 64 * 1024 ** 2,
    read: asSize,
    what: 'memory for cached rows, per process',
  },
  publicCacheTtl: {
    name: 'PUBLIC_CACHE_TTL',
    fallback: null,
    read: (text) => asNumber(1000)(String(asDuration(text))),
    what: 'how long shared caches may keep reads of public data, at least 1s; without it they keep nothing',
  },
}

const schemes: Readonly<Record<string, Pick<RedisServers, 'mode' | 'isEncrypted'>>> = {
  redis: { mode: 'single', isEncrypted: false },
  rediss: { mode: 'single', isEncrypted: true },
  'redis+sentinel': { mode: 'sentinel', isEncrypted: false },
  'rediss+sentinel': { mode: 'sentinel', isEncrypted: true },
  'redis+cluster': { mode: 'cluster', isEncrypted: false },
  'rediss+cluster': { mode: 'cluster', isEncrypted: true },
}

const defaultPort = { single: 6379, sentinel: 26_379, cluster: 6379 } as const

const INVALID = 'is no valid address; special characters in the password have to be percent-encoded'

const form = /^([a-z+]+):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(\/[^?#]*)?(?:\?([^#]*))?$/u

export function asRedisServers(text: string): RedisServers {
  const [, scheme = '', credentials = '', list = '', path = '', query = ''] = form.exec(text) ?? []
  const kind = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined
  if (kind === undefined) return fail(`has to begin with ${Object.keys(schemes).join('://, ')}://`)
  const [first, ...others] = list.split(',').map((entry) => hostIn(entry, defaultPort[kind.mode]))
  if (first === undefined) return fail(INVALID)
  const [username, password] = credentialsIn(credentials)
  const names = path.split('/').slice(1).map(decoded)
  return {
    ...kind,
    hosts: [first, ...others],
    username,
    password,
    ...placeIn(kind.mode, names.at(-1) === '' ? names.slice(0, -1) : names),
    sentinelPassword: parameterIn(query, kind.mode),
  }
}

function hostIn(entry: string, port: number): RedisHost {
  const found = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/iu.exec(entry.trim())
  const [, six, plain, given] = found ?? []
  const host = six ?? plain
  const number = given === undefined ? port : Number(given)
  return host === undefined || number < 1 || number > 65_535 ? fail(INVALID) : { host, port: number }
}

function credentialsIn(text: string): readonly [string | null, string | null] {
  const at = text.indexOf(':')
  const [username, password] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  return [username === '' ? null : decoded(username), password === '' ? null : decoded(password)]
}

/** The path: the number of a database, or the name of the primary and then the number. */
function placeIn(mode: RedisServers['mode'], path: readonly string[]): Pick<RedisServers, 'database' | 'primaryName'> {
  const [primaryName, numbers] = mode === 'sentinel' ? [path[0] ?? '', path.slice(1)] : [null, path]
  if (primaryName === '') return fail('has to name the primary: redis+sentinel://host1,host2/name')
  const [number, ...rest] = numbers
  if (rest.length > 0 || (number !== undefined && !/^\d{1,4}$/u.test(number)))
    return fail('may end with the number of a database, and with nothing else')
  if (mode === 'cluster' && number !== undefined && number !== '0')
    return fail('names a cluster, which has database 0 only')
  return { primaryName, database: Number(number ?? 0) }
}

function parameterIn(query: string, mode: RedisServers['mode']): string | null {
  const parameters = new URLSearchParams(query)
  const known = mode === 'sentinel' ? 'sentinel_password' : null
  for (const name of parameters.keys())
    if (name !== known) return fail(known === null ? 'takes no parameters' : `takes the parameter ${known} only`)
  return known === null ? null : parameters.get(known)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return fail(INVALID)
  }
}

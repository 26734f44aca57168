import type { Cluster, ClusterOptions, Redis as IoRedis, RedisOptions } from 'ioredis'
import type { RedisHost, RedisServers } from '../config/redis.ts'
import { within } from '../lib/within.ts'

/** The commands that the service uses; the same for one server and for a cluster. */
export type RedisClient = Pick<IoRedis, 'del' | 'get' | 'hmget' | 'hset' | 'multi' | 'publish' | 'set'>

/** A connection that has proved that it takes writes. It is never repaired: after the first failure it is closed. */
export interface RedisConnection {
  readonly client: RedisClient
  /** Calls back once, when the connection has ended. */
  onEnd(ended: (reason: string) => void): void
  /** Receives the messages of a channel until the connection ends. If that cannot be arranged, the connection ends. */
  subscribe(channel: string, received: (text: string) => void): void
  close(): void
}

export type OpenRedis = () => Promise<RedisConnection>

const CONNECT_TIMEOUT = 1000
/** For the key of the trial write. */
const TRIAL_TTL = 1000

/**
 * Opens connections to the servers. A connection neither queues commands while it is down nor repeats them, and does not
 * reconnect: all of this is decided in redis.ts. The package is loaded here, because most services run without Redis.
 */
export async function redisOpener(servers: RedisServers, prefix: string): Promise<OpenRedis> {
  const { Cluster: NewCluster, Redis } = await import('ioredis')
  const open = (client: IoRedis | Cluster) => tried(client, `${prefix}:trial`)
  const options = optionsOf(servers)
  if (servers.mode === 'cluster')
    return () => open(new NewCluster([...servers.hosts], { ...clusterOptions, redisOptions: options }))
  if (servers.mode === 'sentinel') return () => open(new Redis({ ...options, ...sentinelOptions(servers) }))
  return () => firstOf(servers.hosts, (host) => open(new Redis({ ...options, ...host })))
}

/** The types of the package distinguish how answers are mapped, which is not changed here. */
type Options = Omit<RedisOptions, 'replyMapping'>

const optionsOf = ({ isEncrypted, username, password, database }: RedisServers): Options => ({
  lazyConnect: true,
  enableOfflineQueue: false,
  retryStrategy: () => null,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_TIMEOUT,
  connectionName: 'tain',
  // Understood by every server and proxy.
  protocol: 2,
  db: database,
  ...(username === null ? {} : { username }),
  ...(password === null ? {} : { password }),
  ...(isEncrypted ? { tls: {} } : {}),
})

const sentinelOptions = ({ hosts, primaryName, sentinelPassword, isEncrypted }: RedisServers): Options => ({
  sentinels: [...hosts],
  name: primaryName ?? '',
  sentinelRetryStrategy: () => null,
  sentinelCommandTimeout: CONNECT_TIMEOUT,
  enableTLSForSentinelMode: isEncrypted,
  ...(sentinelPassword === null ? {} : { sentinelPassword }),
})

const clusterOptions: Omit<ClusterOptions, 'redisOptions'> = {
  lazyConnect: true,
  enableOfflineQueue: false,
  clusterRetryStrategy: () => null,
  slotsRefreshTimeout: CONNECT_TIMEOUT,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  retryDelayOnTryAgain: 0,
  maxRedirections: 3,
}

async function firstOf<T>(hosts: readonly RedisHost[], open: (host: RedisHost) => Promise<T>): Promise<T> {
  const problems: unknown[] = []
  for (const host of hosts) {
    try {
      return await open(host)
    } catch (error) {
      problems.push(error)
    }
  }
  throw problems[0]
}

/** Connects and writes: a server may answer and still refuse writes, such as a replica or one that is still loading. */
async function tried(client: IoRedis | Cluster, key: string): Promise<RedisConnection> {
  let problem: Error | null = null
  // Without a listener the package writes to the console. The error says more than the rejection that follows it.
  client.on('error', (error: Error) => {
    problem = error
  })
  const connect = async () => {
    await client.connect()
    await client.set(key, '', 'PX', TRIAL_TTL)
  }
  try {
    await within(CONNECT_TIMEOUT, connect())
  } catch (error) {
    client.disconnect()
    throw problem ?? error
  }
  const subscribers: (IoRedis | Cluster)[] = []
  return {
    client,
    onEnd: (ended) => client.once('end', () => ended(problem?.message ?? 'the connection was closed')),
    subscribe(channel, received) {
      const subscriber = client.isCluster ? client : (client as IoRedis).duplicate()
      subscribers.push(subscriber)
      subscribeTo(channel, subscriber, received).catch(() => client.disconnect())
      // Both or none: without it, the messages would be missed until the other one fails.
      subscriber.once('end', () => client.disconnect())
    },
    close: () => [client, ...subscribers].forEach((each) => each.disconnect()),
  }
}

/** A connection that receives messages takes no other commands; a cluster uses a separate one by itself. */
async function subscribeTo(
  channel: string,
  subscriber: IoRedis | Cluster,
  received: (text: string) => void,
): Promise<void> {
  subscriber.on('error', () => {})
  subscriber.on('message', (_: string, text: string) => received(text))
  if (subscriber.status === 'wait') await within(CONNECT_TIMEOUT, subscriber.connect())
  await subscriber.subscribe(channel)
}

import { createRedisBus, silentBus } from '../cluster/bus.ts'
import { createMemoryLimiter, type CreateLimiter } from '../cluster/limiter.ts'
import { redisOpener } from '../cluster/redis-connection.ts'
import { createRedis } from '../cluster/redis.ts'
import { createResultCache } from '../cluster/result-cache.ts'
import { createSharedLimiters } from '../cluster/shared-limiter.ts'
import { createMemoryVersions, createSharedVersions } from '../cluster/tag-versions.ts'
import { createVersionNews } from '../cluster/version-news.ts'
import type { Config } from '../config.ts'
import type { RowCache } from '../engine/row-cache.ts'
import type { Observe } from '../observe.ts'
import type { AppContext } from './context.ts'

/** What replicas share, as the settings name it; not connected yet. */
export function connectReplicas(config: Config, observe: Observe): Pick<AppContext, 'redis' | 'versionNews'> {
  const { redis: servers, redisPrefix: prefix, redisTimeout: timeout } = config
  if (servers === null) return { redis: null, versionNews: createVersionNews(silentBus) }
  const redis = createRedis({ open: () => redisOpener(servers, prefix), timeout, observe })
  return { redis, versionNews: createVersionNews(createRedisBus(redis, `${prefix}:versions`)) }
}

export const limitersOf = ({ config, redis }: AppContext): CreateLimiter =>
  redis === null || config.rateStore === 'memory'
    ? createMemoryLimiter
    : createSharedLimiters(redis, config.redisPrefix)

export function rowCacheOf({ config, redis }: AppContext): RowCache | null {
  const { isCached, cacheTtl, cacheSize, redisPrefix } = config
  if (!isCached) return null
  return createResultCache({
    versions: redis === null ? createMemoryVersions() : createSharedVersions(redis, `${redisPrefix}:data`),
    milliseconds: cacheTtl,
    size: cacheSize,
    shared: redis === null ? null : { redis, prefix: `${redisPrefix}:rows:` },
  })
}

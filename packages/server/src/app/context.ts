import type { Logger } from 'pino'
import type { Redis } from '../cluster/redis.ts'
import type { VersionNews } from '../cluster/version-news.ts'
import type { Config } from '../config.ts'
import type { Failpoints } from '../lib/failpoint.ts'
import type { Observe } from '../observe.ts'
import type { Database } from '../sql/database.ts'

/** The values that every part of the service is created with. */
export interface AppContext {
  readonly config: Config
  readonly database: Database
  readonly systemSchema: string
  readonly logger: Logger
  readonly observe: Observe
  /** What replicas share; null: REDIS_URL is not set. */
  readonly redis: Redis | null
  /** Tells other replicas of new versions. */
  readonly versionNews: VersionNews
  readonly failpoints: Failpoints | null
  /** Writes nothing: uses the service's tables if they exist, and works without them otherwise. */
  readonly onlyLooks: boolean
  readonly lifecycle: Lifecycle
}

export interface Lifecycle {
  /** True from the first call of `close`. */
  isClosing: boolean
}

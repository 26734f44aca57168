import { readConfigWith, type Config } from '../config.ts'
import type { Invocation } from './command.ts'

const CONNECT_TIMEOUT = 10_000
const WAIT_TIMEOUT = 30_000

/**
 * The limits of a service keep one slow request from holding up others. A command holds up nobody: on a busy database it
 * rather waits than fails.
 */
export function commandConfig(settings: Invocation['settings']): Config {
  const config = readConfigWith(settings)
  return {
    ...config,
    shutdownDelay: 0,
    connectTimeout: Math.max(config.connectTimeout, CONNECT_TIMEOUT),
    acquireTimeout: Math.max(config.acquireTimeout, WAIT_TIMEOUT),
    // 0 means no limit.
    lockTimeout: config.lockTimeout && Math.max(config.lockTimeout, WAIT_TIMEOUT),
  }
}

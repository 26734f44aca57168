import { pino } from 'pino'
import { createApp, type App } from '../app.ts'
import { readConfigWith, type Config } from '../config.ts'
import { StartError } from '../schema/start-error.ts'
import type { Invocation } from './command.ts'
import { keepAlive } from './keep-alive.ts'

const CONNECT_TIMEOUT = 10_000
const WAIT_TIMEOUT = 30_000

/** Works directly on the database, whether or not a service is running. */
export function withApp<T>(
  { settings }: Pick<Invocation, 'settings'>,
  { onlyLooks }: { readonly onlyLooks: boolean },
  work: (app: App) => Promise<T>,
): Promise<T> {
  return keepAlive(async () => {
    const app = await createApp(forOneCommand(readConfigWith(settings)), pino({ level: 'silent' }), { onlyLooks })
    try {
      if (!(await app.start())) throw new StartError('The database does not answer.')
      return await work(app)
    } finally {
      await app.close()
    }
  })
}

/**
 * The limits of a service keep one slow request from holding up others. A command holds up nobody: on a busy database it
 * rather waits than fails.
 */
const forOneCommand = (config: Config): Config => ({
  ...config,
  shutdownDelay: 0,
  connectTimeout: Math.max(config.connectTimeout, CONNECT_TIMEOUT),
  acquireTimeout: Math.max(config.acquireTimeout, WAIT_TIMEOUT),
  // 0 means no limit.
  lockTimeout: config.lockTimeout && Math.max(config.lockTimeout, WAIT_TIMEOUT),
})

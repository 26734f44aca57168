import { pino } from 'pino'
import { createApp, type App } from '../../packages/server/src/app.ts'
import { logOptions } from '../../packages/server/src/cli/logger.ts'
import { logListening, serve } from '../../packages/server/src/cli/serve.ts'
import { readConfig, type Environment } from '../../packages/server/src/config.ts'
import { probesIn } from '../../packages/server/src/testing/probes.ts'
import type { OpenedApp } from './service.ts'

/** The composition of `tain start` without what belongs to its process: signals, the exit, standard output. */
export async function openApp(environment: Environment): Promise<OpenedApp> {
  let text = ''
  const config = readConfig(environment)
  const logger = pino(logOptions(config.logLevel), { write: (line) => (text += line) })
  const app = await createApp(config, logger, { probes: probesIn(environment) })
  try {
    await serve(app, config)
  } catch (error) {
    await app.close()
    throw new Error(`the service did not start\n${text}`, { cause: error })
  }
  logListening(app, logger)
  let closed: Promise<0 | 1> | undefined
  return {
    log: () => text,
    close: () => (closed ??= closeApp(app, (error) => logger.error({ error }, 'closing failed'))),
  }
}

async function closeApp(app: App, onError: (error: unknown) => void): Promise<0 | 1> {
  // Clients of this process keep their connections, and closing would wait for a request on each of them.
  app.server.server.closeIdleConnections()
  try {
    await app.close()
    return 0
  } catch (error) {
    onError(error)
    return 1
  }
}

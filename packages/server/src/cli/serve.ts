import type { Logger } from 'pino'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { StartError } from '../schema/start-error.ts'
import { version } from '../version.ts'
import { portError } from './port-error.ts'

/** Starts the service and listens on its ports. False if the database does not answer yet. */
export async function serve(app: App, config: Config, onStarted: () => void = () => undefined): Promise<boolean> {
  await listenForMetrics(app, config)
  const isUp = await app.start()
  onStarted()
  await listen(app, config)
  return isUp
}

/** Listens on the port for Prometheus, if there is one. */
async function listenForMetrics({ metrics }: App, { metricsHost: host, metricsPort: port }: Config): Promise<void> {
  if (metrics === null || port === null) return
  try {
    await metrics.listen({ host, port })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new StartError(
      `The metrics cannot be served on port ${port} of ${host} (${code}). Correct METRICS_PORT or METRICS_HOST.`,
    )
  }
}

type Port = Pick<Config, 'host' | 'port'> & Partial<Pick<Config, 'worker'>>

export async function listen({ server }: App, { host, port, worker = null }: Port): Promise<void> {
  try {
    await server.listen({ host, port, ...(worker === null ? {} : { reusePort: true }) })
  } catch (error) {
    throw portError(error, { host, port })
  }
}

export function logListening({ server: { listeningOrigin }, adminUrl }: App, logger: Logger): void {
  const admin = adminUrl(listeningOrigin)
  logger.info({ address: listeningOrigin, ...(admin === null ? {} : { admin }), version }, 'listening')
}

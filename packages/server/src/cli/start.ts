import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { createApp, type App } from '../app.ts'
import { readConfigWith, type Config } from '../config.ts'
import type { Observation, Observe } from '../observe.ts'
import { version } from '../version.ts'
import { startBanner } from './banner.ts'
import type { Run } from './command.ts'
import { createLogger } from './logger.ts'
import { report } from './report.ts'
import { logListening, serve } from './serve.ts'
import { startFacts } from './start-facts.ts'
import type { Terminal } from './terminal.ts'
import { supervise, workersOf } from './workers.ts'

/** What the banner says too, and in a better place. */
const inBanner: ReadonlySet<Observation['kind']> = new Set([
  'schema-loaded',
  'names-given',
  'types-renamed',
  'setup-open',
  'schemas-closed',
  'row-security',
])

/** Leaves out of the log what the banner will say, until `isTold`. */
const untilBanner =
  (isTold: () => boolean) =>
  (log: Observe): Observe =>
  (observation) => {
    if (isTold() || !inBanner.has(observation.kind)) log(observation)
  }

/** The banner; null while the database does not answer. */
async function bannerOf(app: App, { databaseUrl }: Config, terminal: Terminal): Promise<string | null> {
  const found = await app.facts()
  if (found === null) return null
  const origin = app.server.listeningOrigin
  const password = randomBytes(12).toString('base64url')
  const circumstances = { version, origin, adminUrl: app.adminUrl, databaseUrl, password }
  return startBanner(startFacts(found, circumstances), terminal)
}

function closeOnSignal(app: App, logger: Logger, { worker }: Pick<Config, 'worker'>): void {
  const stop = (signal: string) => {
    logger.info({ signal }, 'closing')
    app.close().then(
      () => logger.flush(() => process.exit(0)),
      (error: unknown) => {
        logger.error({ error }, 'closing failed')
        logger.flush(() => process.exit(1))
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  // The supervising process holds the other end of the pipe.
  if (worker !== null) process.stdin.once('end', () => stop('supervisor gone')).resume()
}

/** config → app → listen → wait for a signal → close. */
export const start: Run = async ({ settings, terminal, probes }) => {
  try {
    const config = readConfigWith(settings)
    const { logger, isText } = createLogger(config)
    const workers = workersOf(config)
    if (workers > 1) {
      const code = await supervise(config, workers, settings, logger)
      logger.flush(() => process.exit(code))
      return null
    }
    const hasBanner = isText && logger.isLevelEnabled('info') && config.worker === null
    let isTold = !hasBanner || logger.isLevelEnabled('debug')
    const app = await createApp(config, logger, { observe: untilBanner(() => isTold), probes })
    const onStarted = () => {
      isTold = true
      logger.flush()
    }
    const isUp = await serve(app, config, onStarted)
    const banner = hasBanner && isUp ? await bannerOf(app, config, terminal) : null
    if (banner === null) logListening(app, logger)
    else terminal.tell(`\n${banner}\n`)
    logger.flush()
    closeOnSignal(app, logger, config)
    return null
  } catch (error) {
    report(error, terminal)
    process.exit(1)
  }
}

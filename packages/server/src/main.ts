import { pino } from 'pino'
import { createApp } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { StartError } from './schema/migrate.ts'
import { version } from './version.ts'

const usage = `tain ${version}

  tain start     serve the database in DATABASE_URL
  tain version   print the version
`

export async function main([command = 'start']: readonly string[]): Promise<void> {
  if (command === 'version' || command === '--version') console.log(version)
  else if (command === 'start') await start()
  else {
    console.error(usage)
    process.exitCode = command === 'help' || command === '--help' ? 0 : 2
  }
}

/** Log lines are written together; a line waits at most this many milliseconds. */
const LOG_BUFFER = 4096
const LOG_DELAY = 500

/** config → app → listen → wait for a signal → close. */
async function start(): Promise<void> {
  try {
    const config = readConfig()
    const logger = pino(
      { level: config.logLevel, serializers: { error: pino.stdSerializers.err } },
      pino.destination({ sync: false, minLength: LOG_BUFFER }),
    )
    setInterval(() => logger.flush(), LOG_DELAY).unref()
    const app = createApp(config, logger)
    await app.start()
    logger.flush()
    await app.server.listen({ host: config.host, port: config.port })
    logger.info({ address: app.server.listeningOrigin, version }, 'listening')
    logger.flush()
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
  } catch (error) {
    console.error(error instanceof ConfigError || error instanceof StartError ? error.message : error)
    process.exit(1)
  }
}

import { pino } from 'pino'
import { createApp } from './app.ts'
import { runSchemaCommand, schemaArguments, schemaUsage, Usage } from './cli/schema.ts'
import { UnknownOption } from './config/arguments.ts'
import { ConfigError, readConfig, readConfigWith } from './config.ts'
import { StartError } from './schema/migrate.ts'
import { version } from './version.ts'

const usage = `tain ${version}

  tain start [--database-url …] serve the database in DATABASE_URL; every setting is also an option
${schemaUsage}  tain version                  print the version
`

export async function main([command = 'start', ...rest]: readonly string[]): Promise<void> {
  if (command === 'version' || command === '--version') console.log(version)
  else if (command === 'start') await start(rest)
  else if (command === 'schema') await schema(rest)
  else {
    console.error(usage)
    process.exitCode = command === 'help' || command === '--help' ? 0 : 2
  }
}

/** Works on the database itself, beside a service that may be running or not. */
async function schema(args: readonly string[]): Promise<void> {
  try {
    schemaArguments(args)
    const config = readConfig()
    const app = await createApp({ ...config, shutdownDelay: 0 }, pino({ level: 'silent' }))
    try {
      if (!(await app.start())) throw new StartError('The database does not answer.')
      const terminal = { print: (text: string) => void process.stdout.write(text), tell: console.error }
      process.exitCode = await runSchemaCommand(args, app.snapshots, terminal)
    } finally {
      await app.close()
    }
  } catch (error) {
    const isKnown = error instanceof ConfigError || error instanceof StartError || error instanceof Usage
    console.error(isKnown ? error.message : error)
    if (error instanceof Usage) console.error(`\n${usage}`)
    process.exitCode = 2
  }
}
/** Log lines are written together; a line waits at most this many milliseconds. */
const LOG_BUFFER = 16_000
const LOG_DELAY = 500

/** config → app → listen → wait for a signal → close. */
async function start(args: readonly string[]): Promise<void> {
  try {
    const config = readConfigWith(args)
    const logger = pino(
      { level: config.logLevel, serializers: { error: pino.stdSerializers.err } },
      pino.destination({ sync: false, minLength: LOG_BUFFER }),
    )
    setInterval(() => logger.flush(), LOG_DELAY).unref()
    const app = await createApp(config, logger)
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
    const isKnown = error instanceof ConfigError || error instanceof StartError || error instanceof UnknownOption
    console.error(isKnown ? error.message : error)
    process.exit(error instanceof UnknownOption ? 2 : 1)
  }
}

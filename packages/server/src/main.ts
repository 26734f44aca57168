import { pino } from 'pino'
import { createApp, type App } from './app.ts'
import { runCommandLine, type Commands } from './cli/command-line.ts'
import { runSchemaCommand, schemaArguments, schemaUsage, Usage } from './cli/schema.ts'
import { optionsHelp, UnknownOption } from './config/arguments.ts'
import { ConfigError, readConfig, readConfigWith, settings, type Config } from './config.ts'
import { StartError } from './schema/start-error.ts'
import { version } from './version.ts'

const commands: Commands = {
  start: {
    summary: '  tain start [--database-url …] serve the database in DATABASE_URL; every setting is also an option',
    help: () => `\n${optionsHelp(Object.values(settings))}`,
    run: start,
  },
  schema: { summary: schemaUsage.trimEnd(), run: schema },
  version: { summary: '  tain version                  print the version', run: () => console.log(version) },
}

const usage = `tain ${version}

${Object.values(commands)
  .map(({ summary }) => summary)
  .join('\n')}
  tain <command> --help         describe a command
`

export async function main(args: readonly string[]): Promise<void> {
  const code = await runCommandLine(args, commands, usage, { out: console.log, err: console.error })
  if (code !== null) process.exitCode = code
}

/** Prints one line for errors that an operator can fix; any other error is a defect and prints its stack. */
function report(error: unknown): void {
  const isKnown = [ConfigError, StartError, UnknownOption, Usage].some((kind) => error instanceof kind)
  console.error(isKnown && error instanceof Error ? error.message : error)
}

/** Works directly on the database, whether or not a service is running. */
async function schema(args: readonly string[]): Promise<void> {
  // Connections that wait for a response do not keep the process alive by themselves.
  const alive = setInterval(() => undefined, 60_000)
  try {
    const { onlyLooks } = schemaArguments(args)
    const config = readConfig()
    const app = await createApp({ ...config, shutdownDelay: 0 }, pino({ level: 'silent' }), { onlyLooks })
    try {
      if (!(await app.start())) throw new StartError('The database does not answer.')
      const terminal = { print: (text: string) => void process.stdout.write(text), tell: console.error }
      process.exitCode = await runSchemaCommand(args, app.snapshots, terminal)
    } finally {
      await app.close()
    }
  } catch (error) {
    report(error)
    if (error instanceof Usage) console.error(`\n${schemaUsage}`)
    process.exitCode = 2
  } finally {
    clearInterval(alive)
  }
}

/** Log lines are buffered; a line waits at most LOG_DELAY milliseconds. */
const LOG_BUFFER = 16_000
const LOG_DELAY = 500

async function listen({ server }: App, { host, port }: Config): Promise<void> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} on ${host} is taken by another program. Stop that program, or choose another port: tain start --port ${port + 1}`,
      )
    if (code === 'EACCES')
      throw new StartError(`This user may not listen on port ${port}. Choose a port above 1023: tain start --port 8055`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`This machine has no address ${host} to listen on. Correct HOST.`)
    throw error
  }
}

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
    await listen(app, config)
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
    report(error)
    process.exit(error instanceof UnknownOption ? 2 : 1)
  }
}

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { pino } from 'pino'
import { createApp, type App } from '../app.ts'
import type { AppFacts } from '../app/facts.ts'
import { ConfigError, readConfigWith, type Config } from '../config.ts'
import { StartError } from '../schema/start-error.ts'
import { version } from '../version.ts'
import { Usage, type ExitCode, type Invocation } from './command.ts'
import { startBanner, type StartFacts } from './banner.ts'
import { logOptions } from './logger.ts'
import { keepAlive } from '../lib/keep-alive.ts'
import { report } from './report.ts'
import { listen } from './serve.ts'
import { startFacts } from './start-facts.ts'

/** A service for one person that ends with the terminal: on this machine alone, with a token of its own. */
export interface ServedRun {
  readonly databaseUrl: string
  /** Settings that the run decides; the environment and options do not change them. */
  readonly fixed: Readonly<Record<string, string>>
  /** Runs before the service listens; throws if the run must not go on. */
  readonly check?: (facts: AppFacts) => void
  /** Runs when the service listens, before the banner is printed. */
  readonly prepare?: (origin: string, token: string) => Promise<void>
  readonly writes: string
  /** A path with its query to begin with; by default the rows of a table. */
  readonly example?: string
  /** Who can sign in to the admin app. */
  readonly admin?: { readonly email: string; readonly password: string }
  /** Runs last, also after a failed start. Never throws. */
  readonly cleanUp?: () => void
}

const HOST = '127.0.0.1'
const PORTS_TRIED = 20
/** Milliseconds that open statements get at the end. */
const PATIENCE = 1000

export function serveRun(
  invocation: Pick<Invocation, 'settings' | 'terminal' | 'probes'>,
  run: ServedRun,
): Promise<ExitCode | null> {
  const started: { app: App | null } = { app: null }
  stopWith(started, run)
  return keepAlive(async () => {
    try {
      await start(invocation, run, started)
      return null
    } catch (error) {
      await started.app?.close().catch(() => undefined)
      run.cleanUp?.()
      if (error instanceof Usage) throw error
      report(inWordsOf(error), invocation.terminal)
      process.exit(1)
    }
  })
}

/** Ends the process on Ctrl-C: at once if the person repeats it, otherwise after the connections are closed. */
function stopWith(started: { readonly app: App | null }, { cleanUp }: ServedRun): void {
  const exit = () => {
    cleanUp?.()
    process.exit(0)
  }
  const stop = () => {
    process.once('SIGINT', exit).once('SIGTERM', exit)
    setTimeout(exit, PATIENCE)
    Promise.resolve(started.app?.close()).then(exit, exit)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
}

async function start(
  { settings, terminal, probes }: Pick<Invocation, 'settings' | 'terminal' | 'probes'>,
  run: ServedRun,
  started: { app: App | null },
): Promise<void> {
  const token = `run_${randomBytes(24).toString('base64url')}`
  const config = configOf(settings, run, token)
  const logger = pino(logOptions(config.logLevel), pino.destination({ dest: 2, sync: true }))
  const app = await createApp(config, logger, { probes })
  started.app = app
  if (!(await app.start()))
    throw new StartError('The database does not answer. Check that it runs, and the host and port in DATABASE_URL.')
  const found = await app.facts()
  if (found === null) throw new StartError('The connection to the database broke. Start again.')
  run.check?.(found)
  const port = settings['PORT'] === undefined ? await freePortFrom(config.port) : config.port
  await listen(app, { host: HOST, port })
  if (port !== config.port) terminal.tell(`Port ${config.port} is taken by another program; this run uses ${port}.`)
  const origin = app.server.listeningOrigin
  await run.prepare?.(origin, token)
  terminal.tell(startBanner(factsOfRun(found, config, run, { token, origin, adminUrl: app.adminUrl }), terminal))
}

function configOf(settings: Readonly<Record<string, string>>, run: ServedRun, token: string): Config {
  const fixed = { ...run.fixed, DATABASE_URL: run.databaseUrl, HOST, ADMIN_TOKEN: token }
  const given = Object.keys(fixed).find((name) => settings[name] !== undefined)
  if (given !== undefined)
    throw new Usage(`This command decides ${given} by itself. "tain start" serves with your own settings.`)
  // A file that names the value would contradict it.
  const files = Object.fromEntries(Object.keys(fixed).map((name) => [`${name}_FILE`, '']))
  const config = readConfigWith({
    LOG_LEVEL: 'error',
    SHUTDOWN_DELAY: '0',
    SHUTDOWN_TIMEOUT: '0',
    ...settings,
    ...fixed,
    ...files,
  })
  // Without start-up parameters the database would not enforce that the session is read-only.
  return { ...config, preparedStatements: Math.max(config.preparedStatements, 1) }
}

/** The person gave the URL as a word and has set no variable. */
function inWordsOf(error: unknown): unknown {
  if (!(error instanceof StartError) && !(error instanceof ConfigError)) return error
  return new StartError(error.message.replaceAll('DATABASE_URL', 'the URL').replaceAll('tain start', 'tain <url>'))
}

/** The port itself if it is free or cannot be had at all, otherwise the next free one. */
async function freePortFrom(port: number): Promise<number> {
  for (let next = port; next < port + PORTS_TRIED; next += 1) if (!(await isTaken(next))) return next
  return port
}

const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'))
    probe.listen(port, HOST, () => probe.close(() => resolve(false)))
  })

function factsOfRun(
  found: AppFacts,
  { databaseUrl }: Config,
  { writes, example, admin }: ServedRun,
  { token, origin, adminUrl }: { readonly token: string; readonly origin: string } & Pick<App, 'adminUrl'>,
): StartFacts {
  const facts = startFacts(found, { version, origin, adminUrl, databaseUrl, password: '' })
  const first = example ?? `${facts.paths.rest}?limit=3`
  return {
    ...facts,
    writes,
    next: [
      ...(admin === undefined || facts.admin === null ? [] : signInSteps(admin)),
      `curl -H 'Authorization: Bearer ${token}' '${origin}${first}'`,
      'The token ends with this run; Ctrl-C ends the run.',
    ],
  }
}

const signInSteps = ({ email, password }: NonNullable<ServedRun['admin']>): readonly string[] => [
  'Sign in to the admin app with this address and password:',
  `${email} ${password}`,
  'Or read three rows with the token of this run:',
]

import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { environmentWith, type Config } from '../config.ts'
import { allowsWorkers } from '../config/workers.ts'
import { StartError } from '../schema/start-error.ts'
import { portError } from './port-error.ts'

/** Systems where several processes can listen on one port and the kernel shares out the connections. */
const sharing: ReadonlySet<string> = new Set(['linux', 'freebsd', 'dragonfly', 'aix', 'sunos'])

/** Milliseconds. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 10_000
/** A worker that has run this long was started well: its end is not a fault of the settings. */
const SETTLED = 10_000

/** How many workers the settings ask for; throws if there cannot be so many. */
export function workersOf(
  { workers, worker, databaseUrl }: Pick<Config, 'workers' | 'worker' | 'databaseUrl'>,
  platform: string = process.platform,
): number {
  if (worker !== null || workers === 1) return 1
  const isAuto = workers === 'auto'
  if (!allowsWorkers(databaseUrl)) {
    if (isAuto) return 1
    throw new StartError('A SQLite file is served by one process. Set WORKERS=1, or use a database with a server.')
  }
  if (!sharing.has(platform)) {
    if (isAuto) return 1
    throw new StartError(
      `On ${platform}, processes cannot share a port. Set WORKERS=1, and start more processes on other ports behind a proxy.`,
    )
  }
  return isAuto ? availableParallelism() : workers
}

/** The settings that differ between workers. */
export function workerEnvironment(
  { poolMax, metricsPort }: Pick<Config, 'poolMax' | 'metricsPort'>,
  count: number,
  worker: number,
): Readonly<Record<string, string>> {
  return {
    WORKERS: '1',
    TAIN_WORKER: String(worker),
    DB_POOL_MAX: String(Math.max(1, Math.floor(poolMax / count))),
    ...(metricsPort === null ? {} : { METRICS_PORT: String(metricsPort + worker - 1) }),
  }
}

/** Only supervises: starts the workers, starts those again that end, and ends them one by one. Returns the exit code. */
export async function supervise(
  config: Config,
  count: number,
  given: Readonly<Record<string, string>>,
  logger: Logger,
): Promise<0 | 1> {
  const shared = { ...given, PORT: String(await freePort(config)), ...secretFor(config, logger) }
  const stopping = new AbortController()
  const workers = Array.from({ length: count }, (_, index) => {
    const environment = { ...shared, ...workerEnvironment(config, count, index + 1) }
    return keepWorker(index + 1, { ...environment, ...withoutFiles(environment) }, stopping, logger)
  })
  stopOnSignal(stopping, logger)
  logger.info({ workers: count, port: shared.PORT }, 'supervising')
  await once(stopping.signal, 'abort')
  const codes: (number | null)[] = []
  // One by one, so that the others take the connections meanwhile.
  for (const worker of workers) codes.push(await worker.end())
  return codes.every((code) => code === 0) && stopping.signal.reason !== FAILED ? 0 : 1
}

/** A file that names a setting would contradict its value. */
const withoutFiles = (environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(environment).map((name) => [`${name}_FILE`, '']))

const FAILED = 'a worker could not be started'

/** Workers sign tokens for one another. */
function secretFor({ secret }: Config, logger: Logger): { readonly SECRET?: string } {
  if (secret !== null) return {}
  logger.warn('SECRET is not set: a random one is used, and a restart logs out all users')
  return { SECRET: randomBytes(32).toString('base64url') }
}

function stopOnSignal(stopping: AbortController, logger: Logger): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (!stopping.signal.aborted) logger.info({ signal }, 'closing')
      stopping.abort(signal)
    })
}

interface KeptWorker {
  /** Ends the worker in order and resolves to its exit code. */
  end(): Promise<number | null>
}

function keepWorker(
  worker: number,
  environment: Readonly<Record<string, string>>,
  stopping: AbortController,
  logger: Logger,
): KeptWorker {
  let child: ChildProcess | null = null
  const run = async (): Promise<number | null> => {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const began = performance.now()
      child = startWorker(environment)
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
      child = null
      if (stopping.signal.aborted) return code
      const hasRun = performance.now() - began
      logger.error({ worker, code, signal }, 'a worker has ended')
      if (hasRun >= SETTLED) pause = FIRST_PAUSE
      // It has said itself what is wrong, and the next one would find the same.
      else if (code === 1 && pause === FIRST_PAUSE) {
        stopping.abort(FAILED)
        return code
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return 0
    }
  }
  const ended = run()
  return {
    end() {
      child?.kill('SIGTERM')
      return ended
    },
  }
}

/** Standard input tells the worker that this process has vanished: it ends with it. */
function startWorker(environment: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'start'], {
    stdio: ['pipe', 'inherit', 'inherit'],
    // Ctrl-C reaches this process alone, which then ends the workers.
    detached: true,
    env: environmentWith(environment),
  })
  child.stdin?.on('error', () => undefined)
  return child
}

/** The port, if no other program listens on it: workers would share it with that program without a word. */
async function freePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
    return (probe.address() as AddressInfo).port
  } catch (error) {
    throw portError(error, { host, port })
  } finally {
    probe.close()
  }
}

// Shared by the measurements: the service as a separate process, observed from outside.
import { spawn, type ChildProcess } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../lib/free-port.ts'
import { programFor } from '../lib/program.ts'
import { stop, top } from '../lib/throwaway.ts'

export const TOKEN = 'proof-token'
export const authorization = { authorization: `Bearer ${TOKEN}` }

export interface Service {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly child: ChildProcess
  /** Milliseconds since the process was started. */
  readonly age: () => number
  readonly log: () => string
}

/** Runs the work with a separate service process. If the work fails, the service's output goes to stderr. */
export async function withService<T>(
  environment: Readonly<Record<string, string>>,
  work: (service: Service) => Promise<T>,
  program = programFor(environment),
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'tain-proof-'))
  const service = await launch(environment, join(directory, 'log'), program)
  try {
    return await work(service)
  } catch (error) {
    console.error(service.log().slice(-2000))
    throw error
  } finally {
    await stop(service.child)
    await rm(directory, { recursive: true, force: true })
  }
}

async function launch(
  environment: Readonly<Record<string, string>>,
  logFile: string,
  program: string,
): Promise<Service> {
  const port = await freePort()
  const log = openSync(logFile, 'w')
  const start = performance.now()
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: top,
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), ADMIN_TOKEN: TOKEN, ...environment },
    stdio: ['ignore', log, log],
  })
  if (child.pid === undefined) throw new Error('the service could not be started')
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid,
    child,
    age: () => performance.now() - start,
    log: () => readFileSync(logFile, 'utf8'),
  }
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Resolves to the age of the service at the first 200 of /server/ready. */
export async function untilReady(service: Service, patience = 60_000): Promise<number> {
  while (!(await isReady(service))) {
    if (hasEnded(service.child)) throw new Error(`the service ended with code ${service.child.exitCode}`)
    if (service.age() > patience) throw new Error(`the service was not ready within ${patience} ms`)
    await sleep(20)
  }
  return service.age()
}

export const isReady = ({ url }: Service): Promise<boolean> =>
  fetch(`${url}/server/ready`, { signal: AbortSignal.timeout(2000) }).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Reads the complete response and throws on any other status. */
export async function get({ url }: Service, path: string, status = 200): Promise<string> {
  const answer = await fetch(`${url}${path}`, { headers: authorization })
  const text = await answer.text()
  if (answer.status !== status) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
  return text
}

export interface Memory {
  readonly rss: number
  readonly peak: number
}

/** Current and peak memory of the process, in megabytes. */
export function memoryOf({ pid }: Pick<Service, 'pid'>): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'mu').exec(status)?.[1]) / 1024
  return { rss: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** Seconds of processor time, which is more reliable than wall clock time while other programs run. */
export function processorTime({ pid }: Pick<Service, 'pid'>): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** Figures without a bound are for information only. */
  readonly bound?: { readonly atMost: number } | { readonly atLeast: number }
}

export const isMet = ({ value, bound }: Figure): boolean =>
  bound === undefined || ('atMost' in bound ? value <= bound.atMost : value >= bound.atLeast)

export function describeFigure(figure: Figure): string {
  const { what, value, unit, bound } = figure
  const limit = bound === undefined ? '' : 'atMost' in bound ? `at most ${bound.atMost}` : `at least ${bound.atLeast}`
  const verdict = bound === undefined ? '' : isMet(figure) ? 'met' : 'MISSED'
  return `${what.padEnd(64)} ${`${Number(value.toFixed(2))} ${unit}`.padStart(16)}  ${limit.padEnd(14)} ${verdict}`.trimEnd()
}

/** Prints the figures; those that missed their bounds are failures. */
export function judge(figures: readonly Figure[]): { readonly failures: readonly string[] } {
  for (const figure of figures) console.log(describeFigure(figure))
  return { failures: figures.filter((figure) => !isMet(figure)).map(describeFigure) }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

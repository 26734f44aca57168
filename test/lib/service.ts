import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { programFor } from './program.ts'

const START_SECONDS = 50
const STOP_SECONDS = 10

export const TOKEN = 'service-test-admin-token'
export const SECRET = 'service-test-secret-service-test-secret'

const defaults = { HOST: '127.0.0.1', ADMIN_TOKEN: TOKEN, SECRET, LOG_LEVEL: 'info' }

export type Environment = Readonly<Record<string, string | undefined>>

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Defaults to the administrator's token; null sends none. */
  readonly token?: string | null
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text parsed as JSON; undefined if it is not JSON. */
  readonly body: unknown
}

export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly [key: string]: unknown
}

export interface Service {
  readonly url: string
  get(path: string, options?: RequestOptions): Promise<Answer>
  search(collection: string, query: object, options?: RequestOptions): Promise<Answer>
  /** Sends any method. A body that is not a string is sent as JSON. */
  send(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  /** The whole output so far. */
  log(): string
  lines(): readonly LogLine[]
  /** Resolves to the exit code: 0 if the service closed without an error. */
  readonly stop: () => Promise<number | null>
}

export interface OpenedApp {
  readonly log: () => string
  /** Resolves to the exit code that the program would have. */
  readonly close: () => Promise<0 | 1>
}

interface OpenApp {
  readonly openApp: (environment: Environment) => Promise<OpenedApp>
}

/** A service in a process of its own. */
export interface ServiceProcess extends Service {
  readonly pid: number
  /** Resolves to the exit code, or null if a signal ended the process. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/**
 * Opens the service in this process on a free port: the composition of `tain start`, with a log in memory. Tests of the
 * program itself, such as its start, signals, command line, workers and memory, use `startService`.
 */
export async function openService(environment: Environment): Promise<Service> {
  const needed = Object.keys(environment).find((name) => ofProcess.test(name))
  if (needed !== undefined) throw new Error(`${needed} applies to a process: use startService`)
  // Only tests that open a service load it, and programs that are compiled with this file do not compile the server.
  const { openApp } = (await import(new URL('open-app.ts', import.meta.url).href)) as OpenApp
  const port = environment['PORT'] ?? String(await freePort())
  const { log, close } = await openApp({ ...defaults, ...environment, PORT: port })
  return { ...callerOf(port, log), stop: close }
}

/** Variables that a process reads before or besides the settings. */
const ofProcess = /^(?:LOG_FORMAT|NODE_(?!ENV$).+|OTEL_.+|TAIN_WORKER|TZ|WORKERS)$/u

/** Starts the real service as a separate process on a free port and waits until it responds. */
export async function startService(
  environment: Environment,
  program = programFor(environment),
): Promise<ServiceProcess> {
  const port = environment['PORT'] ?? String(await freePort())
  const { child, log } = launch({ ...environment, PORT: port }, program)
  const caller = callerOf(port, log)
  await untilItAnswers(child, caller.url, log)
  return { ...caller, pid: child.pid ?? 0, stop: (signal) => stopChild(child, signal) }
}

function callerOf(port: string, log: () => string): Omit<Service, 'stop'> {
  const url = `http://127.0.0.1:${port}`
  const send: Service['send'] = (method, path, body, options) => request(`${url}${path}`, method, body, options)
  return {
    url,
    get: (path, options) => send('GET', path, undefined, options),
    search: (collection, query, options) =>
      send('SEARCH', `/items/${encodeURIComponent(collection)}`, { query }, options),
    send,
    log,
    lines: () => parseLines(log()),
  }
}

/** For starts that must fail: runs the program until it exits. */
export async function runService(environment: Environment): Promise<{ code: number | null; output: string }> {
  const { child, log } = launch({ PORT: String(await freePort()), ...environment })
  const timer = setTimeout(() => child.kill('SIGKILL'), START_SECONDS * 1000)
  await once(child, 'close')
  clearTimeout(timer)
  return { code: child.exitCode, output: log() }
}

/** The data of a successful response. */
export function dataOf({ status, text, body }: Answer): unknown {
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${text}`)
  return (body as { data: unknown }).data
}

/** The error code of a refusal. */
export const codeOf = ({ body }: Answer): string | undefined =>
  (body as { errors?: { extensions?: { code?: string } }[] } | undefined)?.errors?.[0]?.extensions?.code

/** Parameters as a query string: lists with commas, objects as JSON. */
export const queryOf = (parameters: Readonly<Record<string, unknown>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(parameterText(value))}`)
    .join('&')

function parameterText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
}

/** Waits until a condition is true and returns how many milliseconds that took. */
export async function until(check: () => boolean | Promise<boolean>, seconds: number, what: string): Promise<number> {
  const began = performance.now()
  while (!(await check())) {
    if (performance.now() - began > seconds * 1000) throw new Error(`not within ${seconds} s: ${what}`)
    await sleep(20)
  }
  return performance.now() - began
}

function launch(
  environment: Environment,
  program = programFor(environment),
): { child: ChildProcess; log: () => string } {
  const child = spawn(process.execPath, [program, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...defaults, ...environment },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return { child, log: () => text }
}

async function untilItAnswers(child: ChildProcess, url: string, log: () => string): Promise<void> {
  const deadline = Date.now() + START_SECONDS * 1000
  while (Date.now() < deadline && !hasExited(child)) {
    const answer = await request(`${url}/server/ping`, 'GET', undefined, { token: null }).catch(() => null)
    if (answer?.status === 200) return
    await sleep(25)
  }
  await stopChild(child, 'SIGKILL')
  throw new Error(`the service did not start\n${log()}`)
}

async function request(url: string, method: string, body: unknown, options: RequestOptions = {}): Promise<Answer> {
  const token = options.token === undefined ? TOKEN : options.token
  const isText = typeof body === 'string'
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const parseLines = (log: string): LogLine[] =>
  log
    .split('\n')
    .map(parse)
    .filter((line): line is LogLine => typeof line === 'object' && line !== null && 'msg' in line)

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (hasExited(child)) return child.exitCode
  const closed = once(child, 'close')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS * 1000)
  await closed
  clearTimeout(timer)
  return child.exitCode
}

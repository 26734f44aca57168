import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { PROBED_PROGRAM, PROGRAM } from './program.ts'

/** Another program can replace the server, to check that the test notices. */
const START_SECONDS = 60
const START_ATTEMPTS = 3

export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly text: string
  readonly etag: string | null
  /** The content type. */
  readonly type: string
}

/** Stands for the response of a service that gave none. */
export const noReply = (error: unknown): Reply => ({ status: 0, body: String(error), text: '', etag: null, type: '' })

export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** Defaults to the administrator's token; null sends no token. */
  readonly token?: string | null
  /** The user whose permissions apply instead of those of the token. */
  readonly viewAs?: string
}

export interface Server {
  send(request: Request): Promise<Reply>
  /** Null while the process runs; then its exit status and last output. */
  ended(): string | null
  stop(): Promise<void>
}

/** Starts the service as a separate process. Retries only if another process took the free port in between. */
export async function startServer(databaseUrl: string, statementLog: string | null, probe: string): Promise<Server> {
  // A unique token: no other process that may listen on this port knows it.
  const token = randomUUID()
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(databaseUrl, token, statementLog, probe)
    } catch (error) {
      if (attempt === START_ATTEMPTS || !String(error).includes('EADDRINUSE')) throw error
    }
  }
}

async function startOnce(
  databaseUrl: string,
  token: string,
  statementLog: string | null,
  probe: string,
): Promise<Server> {
  const port = await freePort()
  const child = spawn(process.execPath, [statementLog === null ? PROGRAM : PROBED_PROGRAM, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATABASE_URL: databaseUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'admin-password',
      ADMIN_TOKEN: token,
      SECRET: 'property-secret-property-secret-property',
      LOG_LEVEL: 'error',
      // Queries here may be unbounded; other tests check the limits.
      MAX_QUERY_ROWS: String(10 ** 15),
      ...(statementLog === null ? {} : { TAIN_STATEMENT_LOG: statementLog }),
    },
  })
  const output = collectOutput(child)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })
  const send = (request: Request): Promise<Reply> => sendRequest({ agent, port, token }, request, output)
  const stop = async (): Promise<void> => {
    agent.destroy()
    await stopChild(child)
  }
  try {
    await waitUntilReady(child, send, output, probe)
  } catch (error) {
    await stop()
    throw error
  }
  const ended = (): string | null =>
    hasExited(child) ? `the service ended (${child.exitCode ?? child.signalCode})\n${output()}` : null
  return { send, stop, ended }
}

/** The service's last lines of output, for the failure report. */
function collectOutput(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-4000)
    })
  }
  return () => text
}

async function waitUntilReady(
  child: ChildProcess,
  send: Server['send'],
  output: () => string,
  probe: string,
): Promise<void> {
  const deadline = Date.now() + START_SECONDS * 1000
  let last: Reply | null = null
  while (Date.now() < deadline) {
    if (hasExited(child)) break
    const ping = await send({ method: 'GET', path: '/server/ping' }).catch(() => null)
    last = ping?.status === 200 ? await send({ method: 'GET', path: probe }).catch(() => null) : ping
    if (ping?.status === 200 && last?.status === 200) return
    await sleep(30)
  }
  const end = hasExited(child) ? `ended with ${child.exitCode ?? child.signalCode}` : `took over ${START_SECONDS} s`
  throw new Error(`the service did not start: it ${end}, last answer ${JSON.stringify(last)}\n${output()}`)
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await exited
  clearTimeout(timer)
}

interface Address {
  readonly agent: http.Agent
  readonly port: number
  readonly token: string
}

function sendRequest({ agent, port, token }: Address, request: Request, output: () => string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)
  const carried = request.token === undefined ? token : request.token
  const sent = http.request({
    agent,
    host: '127.0.0.1',
    port,
    method: request.method,
    path: request.path,
    timeout: 30_000,
    headers: {
      ...(carried === null ? {} : { authorization: `Bearer ${carried}` }),
      ...(request.viewAs === undefined ? {} : { 'x-view-as': request.viewAs }),
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
  })
  sent.on('timeout', () => sent.destroy(new Error('no answer within 30 s')))
  sent.on('error', (error) => reject(new Error(`${error.message}\n${output()}`, { cause: error })))
  sent.on('response', (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      text += chunk
    })
    response.on('error', reject)
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        body: parse(text),
        text,
        etag: response.headers.etag ?? null,
        type: response.headers['content-type'] ?? '',
      }),
    )
  })
  sent.end(body)
  return promise
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

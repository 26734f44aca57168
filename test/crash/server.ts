// The service as a process that is meant to be killed: quick to start, on a chosen port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../lib/free-port.ts'
import { programFor } from '../lib/program.ts'

const TOKEN = 'crash-test-token'
const PATIENCE = 60_000

export const authorization = { authorization: `Bearer ${TOKEN}` }

export interface Server {
  readonly url: string
  readonly port: number
  readonly child: ChildProcess
  /** The whole output of the process. */
  log(): string
  /** Resolves when the process has ended, to the signal that ended it or null. */
  ended(): Promise<NodeJS.Signals | null>
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Environment = Readonly<Record<string, string>>

export async function startServer(environment: Environment, port?: number): Promise<Server> {
  const chosen = port ?? (await freePort())
  const child = spawn(process.execPath, [programFor(environment), 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(chosen),
      ADMIN_TOKEN: TOKEN,
      ...environment,
    },
  })
  const over = once(child, 'close')
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  const ended = async () => {
    await over
    return child.signalCode
  }
  const server: Server = {
    url: `http://127.0.0.1:${chosen}`,
    port: chosen,
    child,
    log: () => text,
    ended,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await ended()
    },
  }
  await untilReady(server)
  return server
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function untilReady(server: Server): Promise<void> {
  const deadline = Date.now() + PATIENCE
  while (!(await isReady(server.url))) {
    if (hasEnded(server.child) || Date.now() > deadline) {
      await server.stop('SIGKILL')
      throw new Error(`the service did not start\n${server.log()}`)
    }
    await sleep(20)
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/server/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Sends a request. Rejects if the connection breaks before the complete response has arrived. */
export async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Environment = {},
): Promise<Reply> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...authorization,
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Returns the data of a successful response and throws otherwise. */
export function dataOf({ status, text }: Reply): unknown {
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${text}`)
  return (JSON.parse(text) as { data: unknown }).data
}

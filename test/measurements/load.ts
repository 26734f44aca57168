// Clients that send requests without pause and record the outcome of each one.
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { authorization, type Service } from './service.ts'

export interface Outcome {
  readonly began: number
  readonly ended: number
  /** 0 if there was no response. */
  readonly status: number
  readonly hasRetryAfter: boolean
  readonly error: string | null
  /** The client's port of the connection; null if no connection was established. */
  readonly port: number | null
}

export interface Load {
  readonly outcomes: readonly Outcome[]
  readonly stop: () => Promise<void>
  /** Resolves when every client has ended on its own. */
  readonly over: Promise<unknown>
}

export interface LoadOptions {
  readonly keepAlive: number
  /** Clients that open a new connection for each request. */
  readonly fresh: number
  readonly path: (turn: number) => string
  /** Milliseconds between a response and the next request. */
  readonly pause: number
  readonly endsWhenRefused: boolean
}

export function putUnderLoad(service: Service, options: LoadOptions): Load {
  const outcomes: Outcome[] = []
  const state = { isOver: false }

  async function client(agent: Agent | false, first: number): Promise<void> {
    for (let turn = first; !state.isOver; turn += 1) {
      const outcome = await ask(`${service.url}${options.path(turn)}`, agent)
      if (options.endsWhenRefused && outcome.error === 'ECONNREFUSED') break
      outcomes.push(outcome)
      if (options.pause > 0) await sleep(options.pause)
    }
    if (agent !== false) agent.destroy()
  }

  const clients = [
    ...Array.from({ length: options.keepAlive }, (_, index) => client(keepAlive(), index)),
    ...Array.from({ length: options.fresh }, (_, index) => client(false, index)),
  ]
  const over = Promise.all(clients)
  return {
    outcomes,
    over,
    stop: async () => {
      state.isOver = true
      await over
    },
  }
}

/** A separate connection, as another program would have. */
const keepAlive = () => new Agent({ keepAlive: true, maxSockets: 1 })

function ask(url: string, agent: Agent | false): Promise<Outcome> {
  const began = performance.now()
  let port: number | null = null
  return new Promise((resolve) => {
    const end = (answer: IncomingMessage | null, error: string | null) =>
      resolve({
        began,
        ended: performance.now(),
        status: answer?.statusCode ?? 0,
        hasRetryAfter: answer?.headers['retry-after'] !== undefined,
        error,
        port,
      })
    const request = get(url, { agent, headers: authorization }, (answer) => {
      answer.resume()
      answer.once('end', () => end(answer, null))
      answer.once('error', (error) => end(null, codeOf(error)))
    })
    request.once('socket', (socket) => {
      const note = () => (port = socket.localPort ?? null)
      if (socket.connecting) socket.once('connect', note)
      else note()
    })
    request.once('error', (error) => end(null, codeOf(error)))
  })
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : error.message)

/** How often each outcome occurred, for messages. */
export function tally(outcomes: readonly Outcome[]): string {
  const counts = new Map<string, number>()
  for (const { status, error, hasRetryAfter } of outcomes) {
    const what = error ?? `${status}${status === 503 && !hasRetryAfter ? ' without Retry-After' : ''}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts].map(([what, count]) => `${count} × ${what}`).join(', ')
}

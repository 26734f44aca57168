// npm run verify rolling-restart
// Three replicas behind HAProxy are restarted one after another under load: no request may fail.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withDatabase } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { freePort } from '../lib/free-port.ts'
import { startService, TOKEN, until, type Environment, type Service } from '../lib/service.ts'

export interface RestartOptions {
  readonly rounds: number
  /** Requests per second. */
  readonly rate: number
  /** Starts replica `index` again; by default as it was. */
  readonly startAgain?: (index: number, environment: Environment) => Promise<Service>
  readonly startFirst?: (index: number, environment: Environment) => Promise<Service>
}

export interface RestartResult {
  readonly requests: number
  readonly failures: readonly string[]
  readonly restarts: number
}

export const goods = `create table goods (id integer primary key, name text);
  insert into goods select n, 'good ' || n from generate_series(1, 100) n`

const CHECK = 500
/** More than the two checks after which the balancer sends nothing more. */
const SHUTDOWN_DELAY = CHECK * 6

async function startBalancer(ports: readonly number[]): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-haproxy-'))
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const servers = ports.map((each, at) => `  server tain${at} 127.0.0.1:${each} check inter ${CHECK} fall 2 rise 1`)
  await writeFile(
    file,
    `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout check 5s
  timeout client 30s
  timeout server 30s
  retries 2
  option redispatch
frontend api
  bind 127.0.0.1:${port}
  default_backend tain
backend tain
  balance roundrobin
  option httpchk GET /server/ready
  http-check expect status 200
${servers.join('\n')}
`,
  )
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(`${url}/server/ready`).then(
      ({ status }) => status === 200,
      () => false,
    )
  await until(isUp, 20, 'the balancer')
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Load {
  readonly failures: string[]
  requests: number
  isOver: boolean
}

function send(origin: string, turn: number, agent: Agent): Promise<string | null> {
  const isWrite = turn % 5 === 0
  const method = isWrite ? 'PATCH' : 'GET'
  const key = 1 + (turn % 100)
  return new Promise((resolve) => {
    const asked = request(`${origin}/items/goods/${key}`, {
      method,
      agent,
      timeout: 20_000,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    })
    const fail = (what: string) => resolve(`${method}: ${what}`)
    asked.once('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve(null) : fail(`status ${answer.statusCode} ${text.slice(0, 120)}`),
      )
      answer.once('error', ({ message }) => fail(message))
    })
    asked.once('timeout', () => asked.destroy(new Error('no answer in 20 s')))
    asked.once('error', ({ message }) => fail(message))
    asked.end(isWrite ? JSON.stringify({ name: `good ${turn}` }) : undefined)
  })
}

/** Sends so many requests a second, half of them on connections that are kept, whether or not earlier ones were answered. */
async function traffic(origin: string, rate: number, load: Load): Promise<void> {
  const agents = [new Agent({ keepAlive: true, maxSockets: 50 }), new Agent({ keepAlive: false })]
  const open = new Set<Promise<void>>()
  const began = performance.now()
  for (let turn = 0; !load.isOver; turn += 1) {
    const due = began + (turn * 1000) / rate - performance.now()
    if (due > 0) await sleep(due)
    load.requests += 1
    const one = send(origin, turn, agents[turn % 2]!)
      .then((failure) => void (failure !== null && load.failures.push(failure)))
      .finally(() => open.delete(one))
    open.add(one)
  }
  await Promise.all(open)
  for (const agent of agents) agent.destroy()
}

export const rollingRestart = (options: RestartOptions): Promise<RestartResult> =>
  withDatabase(async ({ url, query }) => {
    await query(goods)
    const start = (_: number, environment: Environment) => startService(environment)
    const { rounds, rate, startFirst = start, startAgain = start } = options
    const environments: Environment[] = []
    const replicas: Service[] = []
    for (let index = 0; index < 3; index += 1) {
      const shutdown = { SHUTDOWN_DELAY: String(SHUTDOWN_DELAY), LOG_LEVEL: 'error' }
      const environment = { DATABASE_URL: url, PORT: String(await freePort()), ...shutdown }
      environments.push(environment)
      replicas.push(await startFirst(index, environment))
    }
    const balancer = await startBalancer(environments.map(({ PORT }) => Number(PORT)))
    const load: Load = { failures: [], requests: 0, isOver: false }
    let restarts = 0
    try {
      const under = traffic(balancer.url, rate, load)
      await sleep(2000)
      for (let round = 0; round < rounds; round += 1)
        for (const [index, environment] of environments.entries()) {
          await replicas[index]!.stop()
          replicas[index] = await startAgain(index, environment)
          restarts += 1
          // Until the balancer has seen it.
          await sleep(CHECK * 3)
        }
      load.isOver = true
      await under
    } finally {
      load.isOver = true
      await Promise.all(replicas.map((replica) => replica.stop()))
      await balancer.stop()
    }
    return { requests: load.requests, failures: load.failures, restarts }
  }, 'postgres')

export function figuresOf(what: string, { requests, failures, restarts }: RestartResult): Figure[] {
  for (const [failure, count] of Map.groupBy(failures, (each) => each)) console.log(`${count.length} × ${failure}`)
  return [
    { what: `${what}: restarts of a replica`, value: restarts, unit: '' },
    { what: `${what}: requests`, value: requests, unit: '' },
    { what: `${what}: failed requests`, value: failures.length, unit: '', bound: { atMost: 0 } },
  ]
}

export const figures = async (rounds: number, rate: number): Promise<Figure[]> =>
  figuresOf('rolling restart', await rollingRestart({ rounds, rate }))

// npm run verify workers
// Two workers on one port: what a client notices when one is killed, and the throughput compared with one worker.
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { promisify } from 'node:util'
import { withDatabase } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { startService, TOKEN, until, type ServiceProcess } from '../lib/service.ts'

const TOGETHER = 20
const SECONDS = 10

export interface Worker {
  readonly worker: number
  readonly pid: number
}

/** The workers that have begun to listen, in that order. */
export const listening = (service: ServiceProcess): readonly Worker[] =>
  service
    .lines()
    .filter(({ msg, worker }) => msg === 'listening' && typeof worker === 'number')
    .map(({ worker, pid }) => ({ worker: Number(worker), pid: Number(pid) }))

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const startWorkers = async (url: string, workers: number): Promise<ServiceProcess> => {
  const service = await startService({ DATABASE_URL: url, WORKERS: String(workers) })
  await until(() => listening(service).length === workers, 50, `${workers} workers`)
  return service
}

const reads = (origin: string): Promise<string | null> =>
  new Promise((resolve) => {
    const asked = request(`${origin}/items/goods/1`, { agent: false, headers: { authorization: `Bearer ${TOKEN}` } })
    asked.once('response', (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode === 200 ? null : `status ${answer.statusCode}`))
      answer.once('error', (error) => resolve(error.message))
    })
    asked.once('error', (error) => resolve(error.message))
    asked.end()
  })

/** Opens connections, one for each request; returns what failed. */
export async function connections(origin: string, count: number): Promise<readonly string[]> {
  const failures: string[] = []
  let left = count
  const one = async () => {
    while (left > 0) {
      left -= 1
      const failure = await reads(origin)
      if (failure !== null) failures.push(failure)
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, one))
  return failures
}

export const goods = 'create table goods (id integer primary key, name text); insert into goods values (1, $$one$$)'

async function throughput(url: string, workers: number): Promise<number> {
  const service = await startWorkers(url, workers).catch(() => startService({ DATABASE_URL: url }))
  try {
    const load = ['-t', '2', '-c', '32', '-d', `${SECONDS}s`, '-H', `authorization: Bearer ${TOKEN}`]
    const { stdout } = await promisify(execFile)('wrk', [...load, `${service.url}/items/goods/1`])
    return Number(/Requests\/sec:\s+([\d.]+)/u.exec(stdout)?.[1])
  } finally {
    await service.stop()
  }
}

export const figures = (): Promise<Figure[]> =>
  withDatabase(async ({ url, query }) => {
    await query(goods)
    const service = await startWorkers(url, 2)
    const failures: string[] = []
    let back = 0
    try {
      const [first, second] = listening(service)
      process.kill(first?.pid ?? 0, 'SIGKILL')
      back = await until(() => listening(service).length === 3, 30, 'the worker again')
      process.kill(second?.pid ?? 0, 'SIGKILL')
      // Connections that the kernel had given to the worker before it was gone are not new.
      await until(() => !isAlive(second?.pid ?? 0), 10, 'the end of the worker')
      failures.push(...(await connections(service.url, 1000)))
    } finally {
      await service.stop()
    }
    const one = await throughput(url, 1)
    const two = await throughput(url, 2)
    return [
      {
        what: 'worker killed: failed of 1,000 new connections',
        value: failures.length,
        unit: '',
        bound: { atMost: 0 },
      },
      { what: 'worker killed: another one listens after', value: back, unit: 'ms', bound: { atMost: 2000 } },
      { what: 'one process: reads by key', value: one, unit: '/s' },
      { what: 'two workers: reads by key', value: two, unit: '/s' },
      { what: 'two workers to one process', value: two / one, unit: '' },
    ]
  })

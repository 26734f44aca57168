// npm run verify observability [-- --rounds 8 --seconds 3 --before ../other-checkout]
// What seeing costs: reads by key of one service against another one on the same database, in turns, so that other work
// on the machine affects both. --before names a checkout to compare with; without it, settings are compared.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { withDatabase } from '../lib/throwaway.ts'
import { freePort } from '../lib/free-port.ts'
import { median, processorTime, TOKEN, untilReady, withService, type Figure, type Service } from './service.ts'

const run = promisify(execFile)
const ROWS = 10_000

/** Keys in an order of their own, so that no cache helps. */
const script = `
  wrk.headers['Authorization'] = 'Bearer ${TOKEN}'
  local n = 0
  request = function()
    n = n + 7919
    return wrk.format('GET', '/items/articles/' .. (n % ${ROWS} + 1))
  end`

interface Sample {
  readonly perSecond: number
  /** Requests per second of processor time of the service, which other programs do not change. */
  readonly perProcessorSecond: number
}

async function sample(service: Service, file: string, seconds: number): Promise<Sample> {
  const before = processorTime(service)
  const { stdout } = await run('wrk', ['-t1', '-c16', '--timeout', '30s', `-d${seconds}s`, '-s', file, service.url])
  if (/Non-2xx or 3xx responses|Socket errors/u.test(stdout)) throw new Error(`wrk saw failures: ${stdout}`)
  const requests = Number(/(\d+) requests in/u.exec(stdout)?.[1])
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/u.exec(stdout)?.[1])
  return { perSecond, perProcessorSecond: requests / (processorTime(service) - before) }
}

async function fill(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`
    create table articles (id integer primary key, title text not null, views integer, body text);
    insert into articles select n, 'article ' || n, n, repeat(md5(n::text), 8) from generate_series(1, ${ROWS}) n`)
  await client.end()
}

interface Plan {
  readonly rounds: number
  readonly seconds: number
}

/** Median of the ratios of each round: the second service against the first. */
async function ratios(first: Service, second: Service, { rounds, seconds }: Plan): Promise<readonly [number, number]> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-wrk-'))
  const file = join(folder, 'by-key.lua')
  await writeFile(file, script)
  try {
    for (const service of [first, second, first, second]) await sample(service, file, seconds)
    const found: { first: Sample; second: Sample }[] = []
    for (let round = 0; round < rounds; round += 1) {
      const [one, other] = round % 2 === 0 ? [first, second] : [second, first]
      const [a, b] = [await sample(one, file, seconds), await sample(other, file, seconds)]
      found.push(round % 2 === 0 ? { first: a, second: b } : { first: b, second: a })
    }
    const ratio = (of: keyof Sample) => median(found.map((each) => each.second[of] / each.first[of]))
    return [ratio('perSecond'), ratio('perProcessorSecond')]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Compared {
  readonly what: string
  readonly first: Readonly<Record<string, string>>
  readonly firstProgram?: string
  readonly second: Readonly<Record<string, string>>
  readonly atLeast?: number
}

async function compare(compared: Compared, plan: Plan): Promise<readonly Figure[]> {
  const { what, first, firstProgram, second, atLeast } = compared
  return withService(
    first,
    async (one) => {
      await untilReady(one)
      return withService(second, async (other) => {
        await untilReady(other)
        const [perSecond, perProcessorSecond] = await ratios(one, other, plan)
        return [
          { what: `${what}: requests per second`, value: perSecond, unit: '×' },
          {
            what: `${what}: requests per second of processor time`,
            value: perProcessorSecond,
            unit: '×',
            ...(atLeast === undefined ? {} : { bound: { atLeast } }),
          },
        ]
      })
    },
    firstProgram,
  )
}

/** `before`: a checkout of another version, to compare with everything off. */
export const observability = (before: string | null, plan: Plan): Promise<readonly Figure[]> =>
  withDatabase('observability', async (url) => {
    await fill(url)
    const off = { DATABASE_URL: url, LOG_LEVEL: 'warn', SCHEMA_POLL_INTERVAL: '10000' }
    if (before !== null) {
      const firstProgram = join(before, 'packages/server/bin/tain.js')
      const what = 'everything off, against before'
      return compare({ what, first: off, firstProgram, second: off, atLeast: 0.97 }, plan)
    }
    const metrics = { ...off, METRICS_PORT: String(await freePort()) }
    const watched = { ...off, SLOW_QUERY_MS: '10000', SERVER_TIMING: 'true' }
    return [
      ...(await compare({ what: 'METRICS_PORT', first: off, second: metrics }, plan)),
      ...(await compare({ what: 'SLOW_QUERY_MS and SERVER_TIMING', first: off, second: watched }, plan)),
    ]
  })

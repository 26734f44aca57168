// Runs the checks on one database and collects the differences.
import { startService } from '../lib/service.ts'
import type { TestDatabase } from '../lib/databases.ts'
import { ANSWERS, checks, type CheckName } from './checks/index.ts'
import { createClient, curlOf, refusalOf } from './client.ts'
import { openPlain, type CorpusDatabase } from './databases.ts'
import { openSession, type Session } from './session.ts'

export interface Difference {
  readonly database: string
  readonly check: string
  readonly where: string
  readonly what: string
  readonly expected?: string
  readonly got?: string
  readonly curl?: string
}

export interface Tally {
  readonly check: string
  readonly comparisons: number
  readonly seconds: number
}

export interface Crawl {
  readonly database: string
  readonly tallies: readonly Tally[]
  readonly differences: readonly Difference[]
  readonly requests: number
}

const LONGEST = 400
const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

export interface CrawlOptions {
  readonly checks: readonly CheckName[]
  readonly seed: number
}

/** Receives the findings. */
export interface Recorder {
  readonly difference: (difference: Difference) => void
  readonly comparison: () => void
  /** The name of the running check. */
  readonly check: () => string
  readonly seed: number
}

/** Settings that allow an administrator many requests in a short time. */
const environment = (url: string) => ({ DATABASE_URL: url, LOG_LEVEL: 'warn', RATE_LIMITER_ENABLED: 'false' })

/** Runs the service on a loaded database while the work lasts. */
export async function withSession<T>(
  corpus: CorpusDatabase,
  database: TestDatabase,
  record: Recorder,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const plain = await openPlain(database)
  const service = await startService(environment(database.url))
  const differ: Session['differ'] = (where, what, { expected, got, call }) =>
    record.difference({
      database: corpus.name,
      check: record.check(),
      where,
      what,
      ...(expected === undefined ? {} : { expected: short(expected) }),
      ...(got === undefined ? {} : { got: short(got) }),
      ...(call === undefined ? {} : { curl: curlOf(call) }),
    })
  const client = createClient(service, ({ what, reply }) =>
    record.difference({
      database: corpus.name,
      check: ANSWERS,
      where: `${reply.call.method} ${reply.call.path}`,
      what,
      got: short(what.startsWith('status') ? refusalOf(reply) : reply.text),
      curl: curlOf(reply.call),
    }),
  )
  try {
    const { name, extent } = corpus
    const session = await openSession({
      name,
      plain,
      client,
      extent,
      seed: record.seed,
      checked: record.comparison,
      differ,
    })
    return await work(session)
  } finally {
    await service.stop()
    await plain.close()
  }
}

export async function crawl(corpus: CorpusDatabase, database: TestDatabase, options: CrawlOptions): Promise<Crawl> {
  const differences: Difference[] = []
  const tallies: Tally[] = []
  let current = 'session'
  let comparisons = 0
  const record: Recorder = {
    difference: (difference) => void differences.push(difference),
    comparison: () => {
      comparisons += 1
    },
    check: () => current,
    seed: options.seed,
  }
  return withSession(corpus, database, record, async (session) => {
    for (const name of options.checks) {
      current = name
      comparisons = 0
      const began = performance.now()
      await checks[name](session)
      tallies.push({ check: name, comparisons, seconds: (performance.now() - began) / 1000 })
    }
    tallies.push({ check: ANSWERS, comparisons: session.client.count(), seconds: 0 })
    return { database: corpus.name, tallies, differences, requests: session.client.count() }
  })
}

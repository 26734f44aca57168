import { runReads, type ReadFailure } from './reads.ts'
import { runWrites, type WriteFailure } from './writes.ts'

const READS_PER_SCHEMA = 250
const WRITES_PER_SCHEMA = 100

export interface DifferentialOptions {
  readonly seed: number
  readonly reads: number
  readonly writes: number
  readonly seconds: number
  /** The number of databases that run in parallel. */
  readonly workers: number
  readonly say: (line: string) => void
}

export interface DifferentialResult {
  readonly reads: number
  readonly writes: number
  readonly refused: number
  readonly requests: number
  readonly failures: readonly (ReadFailure | WriteFailure)[]
  readonly summary: string
}

const numbers = (count: number) => Array.from({ length: Math.max(0, count) }, (_, index) => index)

/** Random reads and writes in every protocol, on one random database after the other. */
export async function runDifferential(options: DifferentialOptions): Promise<DifferentialResult> {
  const { seed, say } = options
  const began = performance.now()
  const failures: (ReadFailure | WriteFailure)[] = []
  const counts = { reads: 0, writes: 0, refused: 0, untyped: 0, skipped: 0, requests: 0, schemas: 0 }
  const isOver = () => failures.length > 0 || performance.now() - began > options.seconds * 1000
  const tasks: (() => Promise<void>)[] = []
  const note = (found: readonly (ReadFailure | WriteFailure)[]) => {
    counts.schemas += 1
    for (const failure of found) {
      failures.push(failure)
      say(`FAILED seed ${seed}: ${JSON.stringify(failure)}`)
    }
    if (counts.schemas % 10 === 0) say(`${counts.reads} reads, ${counts.writes} writes, ${failures.length} failures`)
  }
  for (let schema = 0; schema * READS_PER_SCHEMA < options.reads; schema += 1)
    tasks.push(async () => {
      const count = Math.min(READS_PER_SCHEMA, options.reads - schema * READS_PER_SCHEMA)
      const result = await runReads(seed, schema, numbers(count), isOver)
      counts.reads += result.cases - result.skipped
      counts.skipped += result.skipped
      counts.refused += result.refused
      counts.requests += result.requests
      note(result.failures)
    })
  for (let schema = 0; schema * WRITES_PER_SCHEMA < options.writes; schema += 1)
    tasks.splice(schema * 2, 0, async () => {
      const count = Math.min(WRITES_PER_SCHEMA, options.writes - schema * WRITES_PER_SCHEMA)
      const result = await runWrites(seed, schema, numbers(count), isOver)
      counts.writes += result.writes
      counts.skipped += result.skipped
      counts.refused += result.refused
      counts.untyped += result.untyped
      counts.requests += result.writes * 2
      note(result.failures)
    })
  const work = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined && !isOver(); task = tasks.shift()) await task()
  }
  await Promise.all(Array.from({ length: options.workers }, work))
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const summary =
    `seed ${seed}: ${counts.reads} reads as GET, SEARCH, GraphQL POST and GET, ${counts.writes} writes as REST and GraphQL, ` +
    `${counts.refused} refused alike, ${counts.untyped} writes refused by types, ${counts.skipped} without a twin, ` +
    `${counts.requests} requests, ${counts.schemas} databases, ${seconds} s, ${failures.length} differences`
  return { ...counts, failures, summary }
}

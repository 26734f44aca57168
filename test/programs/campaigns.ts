// The campaigns of random requests as programs of the table: options in, verdict out.
import { runDifferential } from '../differential/campaign.ts'
import { printResult as printModel, runCampaign as runModel } from '../model/campaign.ts'
import { compareReads, printReads } from '../oracle/reads.ts'
import type { Through } from '../oracle/through.ts'
import { compareTwins, printTwins } from '../oracle/twins.ts'
import { compareWrites, printWrites } from '../oracle/writes.ts'
import { printResult as printProperty, runCampaign as runProperty } from '../property/campaign.ts'
import { useDialect } from '../property/dialect.ts'
import { LEAST } from '../property/gate.ts'
import { chosenSeed } from '../property/seed.ts'
import type { TestDialect } from '../lib/databases.ts'
import type { Verdict } from './program.ts'

interface Campaign {
  /** `null`: a new one each time. */
  readonly seed: number | null
  readonly seconds: number
  readonly workers: number
  /** The number of failures that ends the campaign. */
  readonly failures: number
  /** Repeats one schema. */
  readonly schema: number | null
}

interface OnDialect {
  readonly dialect: TestDialect
}

const say = (line: string) => console.log(line)

const common = ({ seed, seconds, workers, failures, schema }: Campaign) => ({
  seed: chosenSeed(seed),
  seconds,
  workers: schema === null ? workers : 1,
  enough: failures,
  say,
})

/** A campaign that tried nothing proves nothing. */
export const atLeast = (what: string, count: number, least = 1): readonly string[] =>
  count >= least ? [] : [`${count} ${what}, but at least ${least} are needed`]

interface Property extends Campaign, OnDialect {
  readonly cases: number
  readonly case: number | null
  /** Without names and values that are hard to spell. */
  readonly plain: boolean
}

export async function property({ cases, case: one, plain, dialect, ...options }: Property): Promise<Verdict> {
  useDialect(dialect)
  const { schema } = options
  const run = common(options)
  const result = await runProperty({
    ...run,
    cases,
    isPlain: plain,
    ...(schema === null ? {} : { schema }),
    ...(one === null ? {} : { case: one }),
  })
  say(printProperty(run.seed, result))
  return { failures: [...result.failures.map(({ reason }) => reason), ...atLeast('cases', result.cases)] }
}

interface Model extends Campaign, OnDialect {
  readonly sequences: number
  readonly sequence: number | null
  readonly perSchema: number
}

export async function model({ sequences, sequence, perSchema, dialect, ...options }: Model): Promise<Verdict> {
  useDialect(dialect)
  const { schema } = options
  const run = common(options)
  // An interrupted run stops its services and drops its databases.
  const broken = new AbortController()
  const end = () => broken.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  const result = await runModel({
    ...run,
    sequences,
    perSchema,
    ...(schema === null ? {} : { schema }),
    ...(sequence === null ? {} : { sequence }),
    signal: broken.signal,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end)
  say(printModel(run.seed, result))
  const reasons = result.failures.map(({ difference }) => difference.reason)
  return { failures: [...reasons, ...(schema === null ? atLeast('requests a schema', result.fewest, LEAST) : [])] }
}

interface Differential extends OnDialect, Omit<Campaign, 'schema' | 'failures'> {
  readonly reads: number
  readonly writes: number
}

export async function differential({ dialect, seed, ...options }: Differential): Promise<Verdict> {
  useDialect(dialect)
  const result = await runDifferential({ ...options, seed: chosenSeed(seed), say })
  say(result.summary)
  const reasons = result.failures.map(({ reason }) => reason)
  const least = (['reads', 'writes'] as const).filter((kind) => options[kind] > 0)
  return { failures: [...reasons, ...least.flatMap((kind) => atLeast(kind, result[kind]))] }
}

interface Oracle extends Campaign, OnDialect {
  readonly cases: number
  readonly case: number | null
  readonly plain: boolean
  /** Reports a failure without shrinking it. */
  readonly quick: boolean
  readonly through: Through
}

export async function oracle({
  cases,
  case: one,
  plain,
  quick,
  through,
  dialect,
  ...options
}: Oracle): Promise<Verdict> {
  useDialect(dialect)
  const run = common(options)
  const { schema } = options
  const result = await compareReads({ ...run, cases, schema, case: one, isPlain: plain, through, shrinks: !quick })
  say(printReads(run.seed, result))
  return { failures: [...result.failures.map(({ reason }) => reason), ...atLeast('reads', result.tally.cases)] }
}

interface OracleWrites extends Campaign, OnDialect {
  readonly sequences: number
  readonly sequence: number | null
  readonly quick: boolean
}

export async function oracleWrites({
  sequences,
  sequence,
  quick,
  dialect,
  ...options
}: OracleWrites): Promise<Verdict> {
  useDialect(dialect)
  const run = common(options)
  const result = await compareWrites({ ...run, sequences, schema: options.schema, sequence, shrinks: !quick })
  say(printWrites(run.seed, result))
  return {
    failures: [...result.failures.map(({ reason }) => reason), ...atLeast('sequences', result.tally.sequences)],
  }
}

interface Twins extends Campaign {
  readonly reads: number
  readonly through: Through
}

export async function nonInterference({ reads, through, ...options }: Twins): Promise<Verdict> {
  useDialect('postgres')
  const run = common(options)
  const result = await compareTwins({ ...run, reads, schema: options.schema, through })
  say(printTwins(run.seed, result))
  const requests = result.failures.map(({ request }) => `${request.method} ${request.path}`)
  return { failures: [...requests, ...atLeast('reads', result.tally.reads)] }
}

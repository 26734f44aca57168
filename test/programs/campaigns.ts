// The campaigns of random requests as programs of the table: options in, verdict out.
import { compareReads, printReads } from '../random/reads/compare.ts'
import { type Protocol, protocolsOf } from '../random/protocol.ts'
import { compareTwins, printTwins } from '../random/twins/compare.ts'
import { compareWrites, printWrites } from '../random/writes/compare.ts'
import { chosenSeed } from '../random/cases.ts'
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

/** So many random cases contain every kind of case. */
const ENOUGH = 40

interface Oracle extends Campaign, OnDialect {
  readonly cases: number
  readonly case: number | null
  readonly plain: boolean
  /** Reports a failure without shrinking it. */
  readonly quick: boolean
  readonly through: Protocol | 'both'
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
  const run = common(options)
  const { schema } = options
  const protocols = protocolsOf(through)
  const result = await compareReads({
    ...run,
    dialect,
    cases,
    schema,
    case: one,
    isPlain: plain,
    protocols,
    shrinks: !quick,
  })
  say(printReads(run.seed, result))
  const { tally } = result
  const isLong = result.failures.length === 0 && tally.cases >= ENOUGH
  const variedLeast = isLong && protocols.includes('rest') ? atLeast('reads with other operands', tally.varied) : []
  return {
    failures: [...result.failures.map(({ reason }) => reason), ...atLeast('reads', tally.cases), ...variedLeast],
  }
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
  const run = common(options)
  const result = await compareWrites({ ...run, dialect, sequences, schema: options.schema, sequence, shrinks: !quick })
  say(printWrites(run.seed, result))
  return {
    failures: [
      ...result.failures.map(({ reason }) => reason),
      ...atLeast('sequences', result.tally.sequences),
      ...(result.failures.length === 0 && result.tally.sequences >= ENOUGH
        ? atLeast('writes in both protocols', result.tally.paired)
        : []),
    ],
  }
}

interface Twins extends Campaign {
  readonly reads: number
  readonly through: Protocol
}

export async function nonInterference({ reads, through, ...options }: Twins): Promise<Verdict> {
  const run = common(options)
  const result = await compareTwins({ ...run, reads, schema: options.schema, through })
  say(printTwins(run.seed, result))
  const requests = result.failures.map(({ request }) => `${request.method} ${request.path}`)
  return { failures: [...requests, ...atLeast('reads', result.tally.reads)] }
}

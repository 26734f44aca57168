import { schemaSql } from '../database/ddl.ts'
import { LEAST } from '../cases.ts'
import { type CampaignResult, runCampaign, stageNumbers } from '../campaign.ts'
import { printRights, shorten } from '../reads/compare.ts'
import type { Protocol } from '../protocol.ts'
import { runTwins, type TwinFailure, type TwinTally } from './session.ts'

export interface TwinOptions {
  readonly seed: number
  readonly reads: number
  readonly seconds: number
  readonly workers: number
  readonly enough: number
  /** Repeats one pair of databases. */
  readonly schema: number | null
  readonly through: Protocol
  readonly say: (line: string) => void
}

export type TwinResult = CampaignResult<TwinFailure> & { readonly tally: TwinTally }

export async function compareTwins(options: TwinOptions): Promise<TwinResult> {
  const tally: TwinTally = { reads: 0, writes: 0, answered: 0, differences: 0, excepted: 0 }
  const isDone = (): boolean => tally.reads >= options.reads
  const result = await runCampaign<TwinFailure>({
    ...options,
    next: stageNumbers(options.schema, isDone),
    progress: () => `${tally.reads} reads, ${tally.writes} writes`,
    run: async (number, isOver) => {
      const { seed, through } = options
      const isEnough = (): boolean => (isOver() && tally.reads >= LEAST) || isDone()
      const failure = await runTwins({ seed, schema: number, through, isOver: isEnough }, tally)
      if (failure !== null) options.say(printFailure(options, failure))
      return failure
    },
  })
  return { ...result, tally }
}

export function printTwins(seed: number, { tally, stages, seconds, failures }: TwinResult): string {
  const { reads, writes, answered, differences, excepted } = tally
  return [
    `seed ${seed}: ${reads} reads and ${writes} writes (${answered} showed something) to ${stages} pairs of databases`,
    `with ${differences} hidden differences, ${excepted} pairs ended by a value that was taken,`,
    `${seconds.toFixed(1)} s, ${failures.length} failures`,
  ].join(' ')
}

function printFailure(
  { seed, through }: TwinOptions,
  { schema, step, request, rights, user, replies, one }: TwinFailure,
): string {
  return [
    '',
    `FAILED seed ${seed} schema ${schema} step ${step}`,
    `replay: npm run verify non-interference -- --seed ${seed} --schema ${schema} --through ${through}`,
    schemaSql(one),
    printRights(one, rights, user),
    `${request.method} ${request.path} ${JSON.stringify(request.body)}`,
    ...replies.map(({ status, text, etag }) => `${status} ${etag ?? ''} ${shorten(text)}`),
  ].join('\n')
}

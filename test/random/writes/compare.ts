import type { Dialect } from '../database/model.ts'
import { LEAST } from '../cases.ts'
import { schemaSql } from './ddl.ts'
import { pathOf } from './stage.ts'
import { printState } from './state.ts'
import { type CampaignResult, runCampaign, stageNumbers } from '../campaign.ts'
import { convert } from './convert.ts'
import { printRights, shorten } from '../reads/compare.ts'
import { runWrites, type WriteFailure } from './session.ts'
import type { WriteTally } from './step.ts'

export interface WriteOptions {
  readonly seed: number
  readonly dialect: Dialect
  readonly sequences: number
  readonly seconds: number
  readonly workers: number
  readonly enough: number
  /** Repeats one database, or one sequence of it. */
  readonly schema: number | null
  readonly sequence: number | null
  /** Whether a difference is shrunk to the smallest case. */
  readonly shrinks: boolean
  readonly say: (line: string) => void
}

export type WriteResult = CampaignResult<WriteFailure> & { readonly tally: WriteTally }

export async function compareWrites(options: WriteOptions): Promise<WriteResult> {
  const tally: WriteTally = {
    sequences: 0,
    requests: 0,
    graphql: 0,
    paired: 0,
    done: 0,
    forbidden: 0,
    invalid: 0,
    loose: 0,
  }
  const isDone = (): boolean => tally.sequences >= options.sequences
  const result = await runCampaign<WriteFailure>({
    ...options,
    next: stageNumbers(options.schema, isDone),
    progress: () => `${tally.sequences} sequences, ${tally.requests} writes`,
    run: async (number, isOver) => {
      const isEnough = (): boolean => (isOver() && tally.requests >= LEAST) || isDone()
      const { seed, dialect, sequence, shrinks } = options
      const task = { seed, dialect, schema: number, sequence, shrinks, isOver: isEnough }
      const failure = await runWrites(task, tally)
      if (failure !== null) options.say(printFailure(options, failure))
      return failure
    },
  })
  return { ...result, tally }
}

export function printWrites(seed: number, { tally, stages, seconds, failures }: WriteResult): string {
  const { sequences, requests, graphql, paired, done, forbidden, invalid, loose } = tally
  return [
    `seed ${seed}: ${sequences} sequences in ${stages} databases, ${requests} writes`,
    `(${done} done, ${forbidden} forbidden, ${invalid} invalid, ${loose} loose; ${graphql} in GraphQL, ${paired} in both protocols),`,
    `${seconds.toFixed(1)} s, ${(sequences / seconds).toFixed(1)} sequences/s, ${failures.length} failures`,
  ].join(' ')
}

function printFailure({ seed, dialect }: WriteOptions, failure: WriteFailure): string {
  const { schema, sequence, model, start, rights, requests, reply, reason } = failure
  const converted = convert(model, start).model
  return [
    '',
    `FAILED seed ${seed} schema ${schema} sequence ${sequence}`,
    `replay: npm run verify oracle-writes -- --dialect ${dialect} --seed ${seed} --schema ${schema} --sequence ${sequence}`,
    ...schemaSql(model),
    ...[...model.relations].map(
      ([table, fields]) =>
        `-- ${table}: ${[...fields.values()].map((field) => `${field.field} (${field.kind}${field.kind === 'many' ? ` ${field.action}` : ''})`).join(', ')}`,
    ),
    `start: ${JSON.stringify(printState(start), null, 1)}`,
    ...requests.flatMap(({ caller, protocol, ...request }) => [
      printRights(converted, rights, caller),
      `${protocol}: ${request.method} ${pathOf(request)} ${JSON.stringify(request.body)}`,
    ]),
    reason,
    `answer: ${reply.status} ${shorten(reply.body)}`,
  ].join('\n')
}

import { chosenDialect } from '../property/dialect.ts'
import { LEAST } from '../property/gate.ts'
import { schemaSql } from './ddl.ts'
import type { WriteRequest } from './model.ts'
import {
  type Counts,
  type Difference,
  pathOf,
  randomSequence,
  replay,
  type Session,
  sessionModel,
  withSession,
} from './session.ts'
import { shrink } from './shrink.ts'
import { printState } from './state.ts'

const SHRINK_ATTEMPTS = 500

export interface CampaignOptions {
  readonly seed: number
  readonly sequences: number
  readonly perSchema: number
  readonly seconds: number
  readonly workers: number
  /** The number of failures that ends the campaign. */
  readonly enough: number
  /** Replays one schema, or one sequence of it. */
  readonly schema?: number
  readonly sequence?: number
  /** Ends the campaign after the current sequences. */
  readonly signal?: AbortSignal
  readonly say: (line: string) => void
}

export interface Failure {
  readonly schema: number
  readonly sequence: number
  readonly requests: readonly WriteRequest[]
  readonly difference: Difference
}

export interface CampaignResult extends Counts {
  readonly schemas: number
  /** The smallest number of requests that any schema received. */
  readonly fewest: number
  readonly sequences: number
  readonly seconds: number
  readonly failures: readonly Failure[]
}

interface Tally extends Counts {
  schemas: number
  fewest: number
  sequences: number
  readonly failures: Failure[]
}

/** Runs schemas in parallel until the sequences or the time run out or enough failures are found. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const started = performance.now()
  const isOver = (): boolean =>
    options.signal?.aborted === true ||
    performance.now() - started > options.seconds * 1000 ||
    tally.failures.length >= options.enough
  const tally: Tally = {
    schemas: 0,
    fewest: Infinity,
    sequences: 0,
    failures: [],
    requests: 0,
    done: 0,
    refused: 0,
    either: 0,
    open: 0,
  }
  const numbers = schemaNumbers(options)
  let said = started
  const work = async (): Promise<void> => {
    for (let number = numbers(); number !== null && !isOver(); number = numbers()) {
      const schema = number
      await withSession(options.seed, schema, (session) => runSchema(session, schema, options, tally, isOver))
      if (performance.now() - said < 10_000) continue
      said = performance.now()
      options.say(
        `${tally.sequences} sequences, ${tally.requests} requests, ${tally.schemas} schemas, ${tally.failures.length} failures`,
      )
    }
  }
  await Promise.all(Array.from({ length: options.workers }, work))
  return {
    ...tally,
    fewest: Number.isFinite(tally.fewest) ? tally.fewest : 0,
    seconds: (performance.now() - started) / 1000,
  }
}

function schemaNumbers({ schema, sequences, perSchema }: CampaignOptions): () => number | null {
  let next = schema ?? 0
  const end = schema === undefined ? Math.ceil(sequences / perSchema) : schema + 1
  return () => (next < end ? next++ : null)
}

async function runSchema(
  session: Session,
  schema: number,
  options: CampaignOptions,
  tally: Tally,
  isOver: () => boolean,
): Promise<void> {
  const { sequence, perSchema, seed } = options
  const end = sequence === undefined ? perSchema : sequence + 1
  let number = sequence ?? 0
  // Every started schema gets a minimum of requests, so that a slow start does not leave it untested.
  const isEnough = (): boolean =>
    isOver() && (session.counts.requests >= LEAST || tally.failures.length > 0 || options.signal?.aborted === true)
  for (; number < end && !isEnough(); number++) {
    const { requests, difference } = await randomSequence(session, [seed, schema, number])
    tally.sequences += 1
    if (difference === null) continue
    const failure = await shrunk(session, { schema, sequence: number, requests, difference })
    tally.failures.push(failure)
    options.say(printFailure(seed, failure))
  }
  for (const name of ['requests', 'done', 'refused', 'either', 'open'] as const) tally[name] += session.counts[name]
  tally.schemas += 1
  tally.fewest = Math.min(tally.fewest, session.counts.requests)
}

async function shrunk(session: Session, failure: Failure): Promise<Failure> {
  // A service that has ended cannot replay anything.
  if (failure.difference.reply.status === 0) return failure
  const counted = { ...session.counts }
  const fails = (requests: readonly WriteRequest[]) => replay(session, requests)
  const again = await fails(failure.requests)
  const { requests, found } = await shrink(
    failure.requests,
    again ?? failure.difference,
    fails,
    again === null ? 0 : SHRINK_ATTEMPTS,
  )
  Object.assign(session.counts, counted)
  return { ...failure, requests, difference: found }
}

export function printResult(seed: number, result: CampaignResult): string {
  const rate = (result.sequences / result.seconds).toFixed(1)
  return [
    `seed ${seed}: ${result.sequences} sequences in ${result.schemas} schemas, ${result.requests} requests`,
    `(${result.done} done, ${result.refused} refused, ${result.either} either, ${result.open} open),`,
    `at least ${result.fewest} a schema, ${result.seconds.toFixed(1)} s, ${rate} sequences/s,`,
    `${result.failures.length} failures`,
  ].join(' ')
}

function printFailure(seed: number, { schema, sequence, requests, difference }: Failure): string {
  const model = sessionModel(seed, schema)
  const { reply } = difference
  return [
    '',
    `FAILED seed ${seed} schema ${schema} sequence ${sequence}`,
    `replay: npm run verify model -- --dialect ${chosenDialect()} --seed ${seed} --schema ${schema} --sequence ${sequence}`,
    schemaSql(model.schema),
    ...[...model.schema.relations].map(
      ([table, fields]) =>
        `-- ${table}: ${[...fields.values()].map((field) => `${field.field} (${field.kind}${field.kind === 'many' ? ` ${field.action}` : ''})`).join(', ')}`,
    ),
    `start: ${JSON.stringify(printState(model.start), null, 1)}`,
    ...requests.map((request) => `${request.method} ${pathOf(request)} ${JSON.stringify(request.body)}`),
    difference.reason,
    `answer: ${reply.status} ${JSON.stringify(reply.body).slice(0, 2000)}`,
  ].join('\n')
}

import { chosenDialect } from './dialect.ts'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { referencesSql, rowsSql, schemaSql } from './ddl.ts'
import { type Failure, runSchema, type SchemaResult } from './session.ts'

export const CASES_PER_SCHEMA = 50

export interface CampaignOptions {
  readonly seed: number
  readonly cases: number
  readonly seconds: number
  /** The number of schemas that run in parallel. */
  readonly workers: number
  /** No hostile names. */
  readonly isPlain?: boolean
  /** The number of failures that ends the campaign. */
  readonly enough: number
  /** Replays one schema, or one case of it. */
  readonly schema?: number
  readonly case?: number
  readonly say: (line: string) => void
}

export interface CampaignResult {
  readonly cases: number
  readonly requests: number
  readonly schemas: number
  readonly statements: number
  readonly seconds: number
  readonly failures: readonly Failure[]
}

/** Runs schemas in parallel until the cases or the time run out or enough failures are found. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const started = performance.now()
  const deadline = started + options.seconds * 1000
  const results: SchemaResult[] = []
  const count = (key: 'cases' | 'requests' | 'statements'): number =>
    results.reduce((sum, result) => sum + result[key], 0)
  const failures = (): Failure[] => results.flatMap((result) => result.failures)
  const isOver = (): boolean => performance.now() > deadline || failures().length >= options.enough
  const numbers = schemaNumbers(options)
  let said = started

  const work = async (): Promise<void> => {
    for (let number = numbers(); number !== null && !isOver(); number = numbers()) {
      const result = await runSchema({
        seed: options.seed,
        schema: number,
        cases: caseNumbers(options),
        isPlain: options.isPlain === true,
        enough: options.enough,
        isOver,
      })
      results.push(result)
      for (const failure of result.failures) options.say(printFailure(options, failure))
      if (performance.now() - said > 10_000) {
        said = performance.now()
        options.say(`${count('cases')} cases, ${results.length} schemas, ${failures().length} failures`)
      }
    }
  }
  await Promise.all(Array.from({ length: options.workers }, work))
  if (results.some((result) => !result.hasLog)) options.say('no statement log: texts of statements were NOT checked')
  return {
    cases: count('cases'),
    requests: count('requests'),
    statements: count('statements'),
    schemas: results.length,
    seconds: (performance.now() - started) / 1000,
    failures: failures(),
  }
}

function schemaNumbers({ schema, cases }: CampaignOptions): () => number | null {
  if (schema !== undefined) {
    let isUsed = false
    return () => (isUsed ? null : ((isUsed = true), schema))
  }
  let next = 0
  return () => (next * CASES_PER_SCHEMA < cases ? next++ : null)
}

function caseNumbers(options: CampaignOptions): number[] {
  return options.case === undefined
    ? Array.from({ length: CASES_PER_SCHEMA }, (_value, index) => index)
    : [options.case]
}

export function printResult(seed: number, result: CampaignResult): string {
  const rate = (result.cases / result.seconds).toFixed(1)
  return [
    `seed ${seed}: ${result.cases} cases in ${result.schemas} schemas, ${result.requests} requests,`,
    `${result.statements} distinct statements, ${result.seconds.toFixed(1)} s, ${rate} cases/s,`,
    `${result.failures.length} failures`,
  ].join(' ')
}

function printFailure({ seed, isPlain }: CampaignOptions, failure: Failure): string {
  const { model } = failure
  // A failure of the whole schema has no case.
  const one = failure.case < 0 ? '' : ` --case ${failure.case}`
  const file = join(tmpdir(), `tain-property-${seed}-${failure.schema}.sql`)
  writeFileSync(file, [schemaSql(model), rowsSql(model), referencesSql(model)].join('\n\n'))
  return [
    '',
    `FAILED seed ${seed} schema ${failure.schema} case ${failure.case} (${failure.spelling})`,
    `replay: npm run verify property -- --dialect ${chosenDialect()} --seed ${seed} --schema ${failure.schema}${one}${isPlain === true ? ' --plain' : ''}`,
    `database with rows: ${file}`,
    schemaSql(model),
    referencesSql(model),
    `collection: ${JSON.stringify(failure.collection)}`,
    `query: ${JSON.stringify(failure.query)}`,
    failure.reason,
    `expected: ${shorten(failure.expected)}`,
    `actual:   ${shorten(failure.actual)}`,
  ].join('\n')
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 3000 ? `${text.slice(0, 3000)}…` : text
}

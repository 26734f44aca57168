import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseSql, schemaSql } from '../database/ddl.ts'
import { LEAST } from '../cases.ts'
import { spellFilter } from './wire.ts'
import { type CampaignResult, runCampaign, stageNumbers } from '../campaign.ts'
import type { Protocol } from '../protocol.ts'
import { emptyTally, type ReadTally } from './case.ts'
import { type ReadFailure, runReads } from './session.ts'
import type { Dialect, Model } from '../database/model.ts'
import { type Permission, type Rights, effectivePermissionsOf, type Caller } from '../rights/rights.ts'

export interface ReadOptions {
  readonly seed: number
  readonly dialect: Dialect
  readonly cases: number
  readonly seconds: number
  readonly workers: number
  readonly enough: number
  /** Repeats one database, or one case of it. */
  readonly schema: number | null
  readonly case: number | null
  readonly isPlain: boolean
  readonly protocols: readonly Protocol[]
  /** Whether a difference is shrunk to the smallest case. */
  readonly shrinks: boolean
  readonly say: (line: string) => void
}

export type ReadResult = CampaignResult<ReadFailure> & { readonly tally: ReadTally }

export async function compareReads(options: ReadOptions): Promise<ReadResult> {
  const tally = emptyTally()
  const result = await runCampaign<ReadFailure>({
    ...options,
    next: stageNumbers(options.schema, () => tally.cases >= options.cases),
    progress: () => `${tally.cases} reads`,
    run: async (number, isOver) => {
      const isEnough = (): boolean => (isOver() && tally.cases >= LEAST) || tally.cases >= options.cases
      const task = {
        seed: options.seed,
        schema: number,
        dialect: options.dialect,
        case: options.case,
        isPlain: options.isPlain,
        protocols: options.protocols,
        shrinks: options.shrinks,
        isOver: isEnough,
      }
      const failure = await runReads(task, tally)
      if (failure !== null) options.say(printFailure(options, failure))
      return failure
    },
  })
  return { ...result, tally }
}

export function printReads(seed: number, { tally, stages, seconds, failures }: ReadResult): string {
  const statuses = [...tally.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  return [
    `seed ${seed}: ${tally.cases} reads, ${tally.requests} requests, in ${stages} databases (${statuses.join(', ')}; ${tally.filled} with rows),`,
    `${tally.skipped} not in GraphQL, ${tally.walks} page by page, ${tally.varied} with other operands, ${tally.statements} statements,`,
    `${seconds.toFixed(1)} s, ${(tally.cases / seconds).toFixed(1)} reads/s, ${failures.length} failures`,
  ].join(' ')
}

function printFailure({ seed, dialect, isPlain, protocols }: ReadOptions, failure: ReadFailure): string {
  const { model, rights, caller, request } = failure
  const file = join(tmpdir(), `tain-oracle-${seed}-${failure.schema}.sql`)
  writeFileSync(file, databaseSql(model).join(';\n\n'))
  return [
    '',
    `FAILED seed ${seed} schema ${failure.schema} case ${failure.case}`,
    `replay: npm run verify oracle -- --dialect ${dialect} --seed ${seed} --schema ${failure.schema} --case ${failure.case}${isPlain ? ' --plain' : ''}${protocols.length === 1 ? ` --through ${protocols[0]}` : ''}`,
    `database with rows: ${file}`,
    schemaSql(model),
    ...[...model.relations].map(
      ([name, fields]) =>
        `-- ${name}: ${[...fields.values()].map(({ field, kind, target }) => `${field} (${kind} ${target})`).join(', ')}`,
    ),
    printRights(model, rights, caller),
    `request: ${request.method} ${request.path} ${JSON.stringify(request.body)}${request.viewAs === undefined ? '' : ` viewed as ${request.viewAs}`}`,
    failure.reason,
    `expected: ${shorten(failure.expected)}`,
    `actual:   ${shorten(failure.actual)}`,
  ].join('\n')
}

export function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 1200 ? `${text.slice(0, 1200)}…` : text
}

/** Prints the permissions that apply to one caller. */
export function printRights(model: Model, rights: Rights, caller: Caller): string {
  const { policies, roles } = effectivePermissionsOf(rights, caller)
  const printPermission = ({ collection, action, fields, rule, presets, validation }: Permission): string =>
    JSON.stringify({
      collection,
      action,
      fields,
      rule: rule === null ? null : rule.kind === 'broken' ? rule.wire : spellFilter(model, collection, rule.filter),
      ...(presets === null ? {} : { presets }),
      ...(validation === null ? {} : { validation }),
    })
  return [
    `caller: ${JSON.stringify(caller)}, roles: ${JSON.stringify(roles)}`,
    ...policies
      .filter(({ permissions }) => permissions.length > 0)
      .map((policy) => `policy ${policy.id}:\n  ${policy.permissions.map(printPermission).join('\n  ')}`),
  ].join('\n')
}

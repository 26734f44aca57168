// Random requests that are compared with models or held to bounds, as programs of the table.
import { compareExplained } from '../explain/compare.ts'
import { pictureBounds, pictureCampaign } from '../files/hostile-campaign.ts'
import { compareFileRights, printResult } from '../files/rights/campaign.ts'
import { bounds, campaign } from '../hostile/campaign.ts'
import type { TestDialect } from '../lib/databases.ts'
import { runSession as runOpenapi } from '../openapi/random-session.ts'
import { useDialect } from '../lib/chosen-dialect.ts'
import { chosenSeed } from '../random/cases.ts'
import { runOracle } from '../realtime/oracle.ts'
import { runPairs } from '../snapshot/pairs.ts'
import { runSession as runTypes } from '../types/random-session.ts'
import { atLeast } from './campaigns.ts'
import type { Verdict } from './program.ts'

interface Seeded {
  readonly seed: number | null
}
interface OnDialect {
  readonly dialect: TestDialect
}

const SHOWN = 40
const say = (line: string) => console.log(line)
const shown = (failures: readonly string[]) => failures.slice(0, SHOWN)

interface RealtimeOracle extends Seeded, OnDialect {
  readonly pairs: number
}

export async function realtimeOracle({ dialect, seed, pairs: least }: RealtimeOracle): Promise<Verdict> {
  const pairs = await runOracle({ dialect, seed: chosenSeed(seed), pairs: least })
  say(`${pairs} pairs of a changed row and a subscriber: no difference`)
  return { failures: atLeast('pairs', pairs, least) }
}

interface FileRights extends Seeded {
  readonly requests: number
  readonly seconds: number
  /** The number of differences that ends the run. */
  readonly failures: number
}

export async function fileRights({ requests, seconds, failures: enough, ...options }: FileRights): Promise<Verdict> {
  const seed = chosenSeed(options.seed)
  const result = await compareFileRights({ seed, requests, seconds, enough })
  say(printResult(seed, result))
  return { failures: [...result.differences, ...atLeast('requests', result.requests)] }
}

interface Pictures extends Seeded {
  readonly files: number
  /** Whether memory and time have bounds: they need a quiet machine. */
  readonly bounded: boolean
}

export async function pictures({ files: mutations, bounded, ...options }: Pictures): Promise<Verdict> {
  const onProgress = (done: number) => say(`${done} files`)
  const report = await pictureCampaign({ seed: chosenSeed(options.seed), mutations, onProgress })
  const { failures, files, requests, statuses, servicePeak, decodersPeak, slowest } = report
  say(JSON.stringify({ ...report, failures: failures.length }))
  const over = (what: string, value: number, bound: number) =>
    bounded && value > bound ? [`${what}: ${value}, at most ${bound}`] : []
  return {
    failures: [
      ...shown(failures),
      // Every file is uploaded, requested as it is and in three variants; at the end, the service is asked whether it is well.
      ...(requests === files * 5 + 1 ? [] : [`${requests} requests for ${files} files`]),
      ...atLeast('files', files, mutations + 1),
      ...atLeast('refused pictures', statuses['422'] ?? 0),
      ...over('MB of the service', servicePeak, pictureBounds.service),
      ...over('MB of the decoders', decodersPeak, pictureBounds.decoders),
      ...over('ms of the slowest request', slowest, pictureBounds.slowest),
    ],
  }
}

interface Explain extends Seeded, OnDialect {
  readonly pairs: number
  readonly seconds: number
}

export async function explain({ dialect, seed, ...options }: Explain): Promise<Verdict> {
  useDialect(dialect)
  const { pairs, allowed, disagreements } = await compareExplained({ ...options, seed: chosenSeed(seed), say })
  say(`${pairs} pairs, ${allowed} allowed, ${disagreements.length} disagreements`)
  return {
    failures: [
      ...shown(disagreements),
      ...atLeast('allowed requests', allowed),
      ...atLeast('refused requests', pairs - allowed),
    ],
  }
}

interface Hostile extends Seeded, OnDialect {
  readonly requests: number
  /** Runs only this request and shows its response. */
  readonly only: number | null
}

export async function hostile({ dialect, requests, only, ...options }: Hostile): Promise<Verdict> {
  const seed = chosenSeed(options.seed)
  const report = await campaign({ dialect, seed, requests, only, onProgress: (done) => say(`${done} requests`) })
  const again = (index: number) => `npm run verify hostile -- --dialect ${dialect} --seed ${seed} --only ${index}`
  const tooLong = report.blocks.filter(({ busy, inFlight }) => busy > bounds.block && inFlight.length > 0)
  for (const { busy, wall, inFlight } of tooLong)
    say(`blocked for ${busy} ms of its own (${wall} ms by the clock) during\n${inFlight.map(again).join('\n')}`)
  const { failures } = report
  say(JSON.stringify({ dialect, seed, ...report, blocks: undefined, failures: failures.length }))
  const sent = Object.values(report.statuses).reduce((sum, count) => sum + count, 0)
  const over = (what: string, value: number, bound: number) =>
    value > bound ? [`${what}: ${value}, at most ${bound}`] : []
  return {
    failures: [
      ...shown(
        failures.map((each) => `${each.what}\n  as ${each.caller}: ${each.request}\n  again: ${again(each.index)}`),
      ),
      ...(only === null && sent !== requests ? [`${sent} of ${requests} requests were answered`] : []),
      ...over('ms of a blocked event loop', report.longestBlock, bounds.block),
      ...over('MB of the service', report.servicePeak, bounds.service),
      ...over('MB of a connection', report.connectionPeak ?? 0, bounds.connection),
    ],
  }
}

interface Snapshot extends Seeded, OnDialect {
  readonly pairs: number
  /** The number of the first pair. */
  readonly from: number
  readonly seconds: number
}

export async function snapshot({ dialect, seed, ...options }: Snapshot): Promise<Verdict> {
  useDialect(dialect)
  const { pairs, changes, refusals, merges, failures } = await runPairs({ ...options, seed: chosenSeed(seed), say })
  say(`${pairs} pairs, ${changes} changes, ${refusals} refusals to lose rows, ${merges} merges`)
  return {
    failures: [
      ...shown(failures),
      ...atLeast('pairs', pairs),
      ...(options.pairs === 1 ? [] : atLeast('changes', changes, pairs + 1)),
    ],
  }
}

interface Schemas extends Seeded {
  readonly schemas: number
  /** The number of the first schema. */
  readonly first: number
}

const numbersOf = ({ first, schemas }: Schemas) => Array.from({ length: schemas }, (_, index) => first + index)

export async function types({ queries, ...options }: Schemas & { readonly queries: number }): Promise<Verdict> {
  const seed = chosenSeed(options.seed)
  const failures: string[] = []
  let [asked, rows] = [0, 0]
  for (const schema of numbersOf(options)) {
    const result = await runTypes(seed, schema, queries)
    failures.push(...result.problems.map((problem) => `schema ${schema}: ${problem}`))
    asked += result.queries
    rows += result.rows
  }
  say(`${options.schemas} schemas, ${asked} typed queries with ${rows} rows, ${failures.length} disagreements`)
  return { failures: [...shown(failures), ...atLeast('rows', rows)] }
}

/** Documents of a schema: of three callers, in two versions of OpenAPI. */
const DOCUMENTS = 6

export async function openapi({ requests, ...options }: Schemas & { readonly requests: number }): Promise<Verdict> {
  const seed = chosenSeed(options.seed)
  const failures: string[] = []
  const total = { documents: 0, compared: 0, undescribed: 0, bodies: 0 }
  for (const schema of numbersOf(options)) {
    const { problems, ...counts } = await runOpenapi(seed, schema, requests)
    failures.push(...problems.map((problem) => `schema ${schema}: ${problem}`))
    for (const name of ['documents', 'compared', 'undescribed', 'bodies'] as const) total[name] += counts[name]
  }
  say(
    `${options.schemas} schemas, ${total.documents} documents valid by two validators, ${total.compared} responses and ${total.bodies} accepted bodies compared, ${total.undescribed} requests to what is not described and refused, ${failures.length} mismatches`,
  )
  return {
    failures: [
      ...shown(failures),
      ...(total.documents === DOCUMENTS * options.schemas ? [] : [`${total.documents} documents`]),
      ...atLeast('responses', total.compared, requests * options.schemas + 1),
      ...atLeast('accepted bodies', total.bodies),
    ],
  }
}

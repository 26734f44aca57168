import { parseArgs } from 'node:util'
import { printResult, runCampaign } from './campaign.ts'
import { randomSeed } from '../property/seed.ts'

const USAGE =
  'node test/model/run.ts [--sequences N] [--seed N] [--seconds S] [--workers N] [--per-schema N] [--failures N] [--schema K [--sequence J]] [--dialect NAME]'

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '36000' },
    workers: { type: 'string', default: '2' },
    'per-schema': { type: 'string', default: '100' },
    failures: { type: 'string', default: '1' },
    schema: { type: 'string' },
    sequence: { type: 'string' },
    dialect: { type: 'string', default: 'postgres' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

process.env['PROPERTY_DIALECT'] = values.dialect
const seed = randomSeed(values.seed)
console.log(`seed ${seed}`)
// An interrupted run stops its services and drops its databases.
const broken = new AbortController()
process.once('SIGINT', () => broken.abort())
process.once('SIGTERM', () => broken.abort())
const result = await runCampaign({
  seed,
  sequences: Number(values.sequences),
  perSchema: Number(values['per-schema']),
  seconds: Number(values.seconds),
  workers: values.schema === undefined ? Number(values.workers) : 1,
  enough: Number(values.failures),
  ...(values.schema === undefined ? {} : { schema: Number(values.schema) }),
  ...(values.sequence === undefined ? {} : { sequence: Number(values.sequence) }),
  signal: broken.signal,
  say: (line) => console.log(line),
})
console.log(printResult(seed, result))
process.exit(result.failures.length > 0 ? 1 : 0)

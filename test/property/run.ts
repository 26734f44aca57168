import { parseArgs } from 'node:util'
import { printResult, runCampaign } from './campaign.ts'
import { randomSeed } from './seed.ts'

const USAGE =
  'node test/property/run.ts [--cases N] [--seed N] [--seconds S] [--workers N] [--failures N] [--schema K [--case J]] [--plain] [--dialect NAME]'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '50000' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '36000' },
    workers: { type: 'string', default: '2' },
    failures: { type: 'string', default: '1' },
    schema: { type: 'string' },
    case: { type: 'string' },
    plain: { type: 'boolean', default: false },
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
const result = await runCampaign({
  seed,
  cases: Number(values.cases),
  seconds: Number(values.seconds),
  workers: values.schema === undefined ? Number(values.workers) : 1,
  enough: Number(values.failures),
  isPlain: values.plain,
  ...(values.schema === undefined ? {} : { schema: Number(values.schema) }),
  ...(values.case === undefined ? {} : { case: Number(values.case) }),
  say: (line) => console.log(line),
})
console.log(printResult(seed, result))
process.exit(result.failures.length > 0 ? 1 : 0)

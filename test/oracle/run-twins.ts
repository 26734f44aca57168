import { parseArgs } from 'node:util'
import { compareTwins, printTwins } from './twins.ts'
import { throughOf } from './through.ts'
import { randomSeed } from '../property/seed.ts'

const { values } = parseArgs({
  options: {
    reads: { type: 'string', default: '5000' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '36000' },
    workers: { type: 'string', default: '2' },
    failures: { type: 'string', default: '1' },
    schema: { type: 'string' },
    /** The protocol of the requests: rest or graphql. */
    through: { type: 'string', default: 'rest' },
  },
})

const seed = randomSeed(values.seed)
console.log(`seed ${seed}`)
const result = await compareTwins({
  seed,
  reads: Number(values.reads),
  seconds: Number(values.seconds),
  workers: values.schema === undefined ? Number(values.workers) : 1,
  enough: Number(values.failures),
  schema: values.schema === undefined ? null : Number(values.schema),
  through: throughOf(values.through),
  say: (line) => console.log(line),
})
console.log(printTwins(seed, result))
process.exit(result.failures.length > 0 ? 1 : 0)

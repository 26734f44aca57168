import { parseArgs } from 'node:util'
import { compareReads, printReads } from './reads.ts'
import { throughOf } from './through.ts'
import { randomSeed } from '../property/seed.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    dialect: { type: 'string', default: 'postgres' },
    seconds: { type: 'string', default: '36000' },
    workers: { type: 'string', default: '2' },
    failures: { type: 'string', default: '1' },
    schema: { type: 'string' },
    /** Reports a failure without shrinking it. */
    quick: { type: 'boolean', default: false },
    case: { type: 'string' },
    plain: { type: 'boolean', default: false },
    /** The protocol of the reads: rest or graphql. */
    through: { type: 'string', default: 'rest' },
  },
})

process.env['PROPERTY_DIALECT'] = values.dialect
const seed = randomSeed(values.seed)
console.log(`seed ${seed}`)
const result = await compareReads({
  seed,
  cases: Number(values.cases),
  seconds: Number(values.seconds),
  workers: values.schema === undefined ? Number(values.workers) : 1,
  enough: Number(values.failures),
  schema: values.schema === undefined ? null : Number(values.schema),
  case: values.case === undefined ? null : Number(values.case),
  isPlain: values.plain,
  through: throughOf(values.through),
  shrinks: !values.quick,
  say: (line) => console.log(line),
})
console.log(printReads(seed, result))
process.exit(result.failures.length > 0 ? 1 : 0)

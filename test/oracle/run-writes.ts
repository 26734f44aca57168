import { parseArgs } from 'node:util'
import { compareWrites, printWrites } from './writes.ts'
import { randomSeed } from '../property/seed.ts'

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    dialect: { type: 'string', default: 'postgres' },
    seconds: { type: 'string', default: '36000' },
    workers: { type: 'string', default: '2' },
    failures: { type: 'string', default: '1' },
    schema: { type: 'string' },
    /** Reports a failure without shrinking it. */
    quick: { type: 'boolean', default: false },
    sequence: { type: 'string' },
  },
})

process.env['PROPERTY_DIALECT'] = values.dialect
const seed = randomSeed(values.seed)
console.log(`seed ${seed}`)
const result = await compareWrites({
  seed,
  sequences: Number(values.sequences),
  seconds: Number(values.seconds),
  workers: values.schema === undefined ? Number(values.workers) : 1,
  enough: Number(values.failures),
  schema: values.schema === undefined ? null : Number(values.schema),
  sequence: values.sequence === undefined ? null : Number(values.sequence),
  shrinks: !values.quick,
  say: (line) => console.log(line),
})
console.log(printWrites(seed, result))
process.exit(result.failures.length > 0 ? 1 : 0)

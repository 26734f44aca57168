// npm run verify snapshot [-- --pairs N] [--seed N] [--from N] [--seconds S] [--dialect NAME]
import { parseArgs } from 'node:util'
import { runPairs } from './pairs.ts'
import { randomSeed } from '../property/seed.ts'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '36000' },
    dialect: { type: 'string', default: 'postgres' },
  },
})
process.env['PROPERTY_DIALECT'] = values.dialect
const seed = randomSeed(values.seed)
console.log(`seed ${seed}`)
const began = performance.now()
const { pairs, changes, refusals, merges, failures } = await runPairs({
  seed,
  from: Number(values.from),
  pairs: Number(values.pairs),
  seconds: Number(values.seconds),
  say: (line) => console.log(line),
})
const seconds = Math.round((performance.now() - began) / 1000)
console.log(
  `${pairs} pairs, ${changes} changes, ${refusals} refusals to lose rows, ${merges} merges, ${failures.length} failures, ${seconds} s`,
)
process.exit(failures.length > 0 ? 1 : 0)

import { parseArgs } from 'node:util'
import { randomSeed } from '../property/seed.ts'
import { compareExplained } from './compare.ts'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '36000' },
    dialect: { type: 'string', default: 'postgres' },
  },
})

process.env['SERVICE_DIALECT'] = values.dialect
const seed = randomSeed(values.seed)
console.log(`seed ${seed}`)
const { pairs, allowed, disagreements } = await compareExplained({
  seed,
  pairs: Number(values.pairs),
  seconds: Number(values.seconds),
  say: (line) => console.log(line),
})
for (const line of disagreements.slice(0, 20)) console.log(`FAILED ${line}`)
console.log(`seed ${seed}: ${pairs} pairs, ${allowed} allowed, ${disagreements.length} disagreements`)
process.exit(disagreements.length > 0 ? 1 : 0)

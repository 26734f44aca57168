// npm run verify differential [-- --reads N --writes N --seed N --seconds S --workers N]
import { parseArgs } from 'node:util'
import { runDifferential } from './campaign.ts'
import { randomSeed } from '../property/seed.ts'

const { values } = parseArgs({
  options: {
    reads: { type: 'string', default: '20000' },
    writes: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    dialect: { type: 'string', default: 'postgres' },
    seconds: { type: 'string', default: '36000' },
    workers: { type: 'string', default: '2' },
  },
})

process.env['PROPERTY_DIALECT'] = values.dialect
const seed = randomSeed(values.seed)
console.log(`seed ${seed}`)
const result = await runDifferential({
  seed,
  reads: Number(values.reads),
  writes: Number(values.writes),
  seconds: Number(values.seconds),
  workers: Number(values.workers),
  say: (line) => console.log(line),
})
console.log(result.summary)
process.exit(result.failures.length > 0 ? 1 : 0)

import { parseArgs } from 'node:util'
import { randomSeed } from '../property/seed.ts'
import { compareFileRights, printResult } from './rights/campaign.ts'

/** Random requests for files by random callers, each compared with a model that shares nothing with the server. */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '36000' },
    failures: { type: 'string', default: '5' },
  },
})

const seed = randomSeed(values.seed)
const began = performance.now()
const result = await compareFileRights({
  seed,
  requests: Number(values.requests),
  seconds: Number(values.seconds),
  enough: Number(values.failures),
})
console.log(printResult(seed, result))
console.log(`${Math.round((performance.now() - began) / 1000)} s`)
process.exit(result.differences.length > 0 ? 1 : 0)

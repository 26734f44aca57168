// npm run verify realtime-oracle [-- --pairs 50000] [-- --seed 1] [-- --dialect sqlite]
// Random rules, writes and subscriptions: what each subscriber is told has to be what an independent model sees.
import { parseArgs } from 'node:util'
import { isTestDialect } from '../lib/databases.ts'
import { runOracle } from './oracle.ts'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    dialect: { type: 'string', default: 'postgres' },
  },
})
const { dialect } = values
if (!isTestDialect(dialect)) throw new TypeError(`there is no database ${dialect}`)
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const began = performance.now()
// The parts of a service in this process do not keep it alive.
const alive = setInterval(() => {}, 1000)
const pairs = await runOracle({ dialect, seed, pairs: Number(values.pairs) })
console.log(
  `${pairs} pairs of a changed row and a subscriber: no difference, ${Math.round((performance.now() - began) / 1000)} s`,
)
clearInterval(alive)

// npm run verify types-random [-- --schemas 30 --queries 60 --seed N]
// What the SDK infers from generated types is what the service returns, in random databases.
import { parseArgs } from 'node:util'
import { randomSeed } from '../property/seed.ts'
import { runSession } from './random-session.ts'

const { values } = parseArgs({
  options: {
    schemas: { type: 'string', default: '30' },
    queries: { type: 'string', default: '60' },
    first: { type: 'string', default: '0' },
    seed: { type: 'string' },
  },
})
const SHOWN = 20
const seed = randomSeed(values.seed)
const total = { queries: 0, rows: 0, problems: 0 }
const began = performance.now()
for (let schema = Number(values.first); schema < Number(values.first) + Number(values.schemas); schema += 1) {
  const { queries, rows, problems } = await runSession(seed, schema, Number(values.queries))
  for (const problem of problems.slice(0, Math.max(0, SHOWN - total.problems)))
    console.log(`schema ${schema}: ${problem}`)
  total.queries += queries
  total.rows += rows
  total.problems += problems.length
}
console.log(
  `seed ${seed}: ${values.schemas} schemas, ${total.queries} typed queries with ${total.rows} rows, ${total.problems} disagreements, ${((performance.now() - began) / 1000).toFixed(0)} s`,
)
if (total.problems > 0 || total.rows === 0) process.exitCode = 1

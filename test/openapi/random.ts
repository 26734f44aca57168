// npm run verify openapi-random [-- --schemas 30 --requests 60 --seed N]
// Documents of random databases are valid, and say what the service does.
import { parseArgs } from 'node:util'
import { randomSeed } from '../property/seed.ts'
import { runSession } from './random-session.ts'

const { values } = parseArgs({
  options: {
    schemas: { type: 'string', default: '30' },
    requests: { type: 'string', default: '60' },
    first: { type: 'string', default: '0' },
    seed: { type: 'string' },
  },
})
const SHOWN = 40
const seed = randomSeed(values.seed)
const total = { documents: 0, compared: 0, undescribed: 0, bodies: 0, problems: 0 }
const began = performance.now()
for (let schema = Number(values.first); schema < Number(values.first) + Number(values.schemas); schema += 1) {
  const { problems, ...counts } = await runSession(seed, schema, Number(values.requests))
  for (const problem of problems.slice(0, Math.max(0, SHOWN - total.problems)))
    console.log(`schema ${schema}: ${problem}`)
  for (const name of ['documents', 'compared', 'undescribed', 'bodies'] as const) total[name] += counts[name]
  total.problems += problems.length
}
console.log(
  `seed ${seed}: ${values.schemas} schemas, ${total.documents} documents valid by two validators, ${total.compared} responses and ${total.bodies} accepted bodies compared, ${total.undescribed} requests to what is not described and refused, ${total.problems} mismatches, ${((performance.now() - began) / 1000).toFixed(0)} s`,
)
if (total.problems > 0 || total.compared === 0 || total.bodies === 0) process.exitCode = 1

// npm run verify hostile -- --dialect sqlite --requests 50000
// Requests made to break the service: none may crash it, cause a 500, block its event loop or fill its memory.
import { parseArgs } from 'node:util'
import { isTestDialect } from '../lib/databases.ts'
import { randomSeed } from '../property/seed.ts'
import { bounds, campaign } from './campaign.ts'

const { values } = parseArgs({
  options: {
    dialect: { type: 'string', default: 'postgres' },
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
})
const { dialect } = values
if (!isTestDialect(dialect)) throw new Error(`there is no database ${dialect}`)
const seed = randomSeed(values.seed)
console.info(`${dialect}, seed ${seed}`)
const report = await campaign({
  dialect,
  seed,
  requests: Number(values.requests),
  only: values.only === undefined ? null : Number(values.only),
  onProgress: (done) => console.info(`${done} requests`),
})
const again = (index: number) => `npm run verify hostile -- --dialect ${dialect} --seed ${seed} --only ${index}`
for (const { index, caller, what, request } of report.failures.slice(0, 20))
  console.error(`${what}\n  as ${caller}: ${request}\n  again: ${again(index)}`)
const tooLong = report.blocks.filter(({ busy, inFlight }) => busy > bounds.block && inFlight.length > 0)
for (const { busy, wall, inFlight } of tooLong)
  console.error(
    `blocked for ${busy} ms of its own (${wall} ms by the clock) during\n${inFlight.map((index) => `  ${again(index)}`).join('\n')}`,
  )
const { requests, statuses, failures, longestBlock, servicePeak, connectionPeak } = report
console.info(
  JSON.stringify({
    dialect,
    seed,
    requests,
    statuses,
    failures: failures.length,
    longestBlock,
    servicePeak,
    connectionPeak,
  }),
)
const holds =
  failures.length === 0 &&
  longestBlock <= bounds.block &&
  servicePeak <= bounds.service &&
  (connectionPeak ?? 0) <= bounds.connection
process.exitCode = holds ? 0 : 1

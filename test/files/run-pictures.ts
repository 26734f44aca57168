// npm run verify pictures -- --files 2000 --seed 1
// Mutated pictures and bombs, uploaded to a service and asked for in variants: none may end it, fill its memory, make it
// wait without end, or have it tell the words of its tools.
import { parseArgs } from 'node:util'
import { randomSeed } from '../property/seed.ts'
import { pictureBounds, pictureCampaign } from './hostile-campaign.ts'

const { values } = parseArgs({ options: { files: { type: 'string', default: '2000' }, seed: { type: 'string' } } })
const seed = randomSeed(values.seed)
console.info(`seed ${seed}`)
const report = await pictureCampaign({
  seed,
  mutations: Number(values.files),
  onProgress: (done) => console.info(`${done} files`),
})
const { failures, servicePeak, decodersPeak, slowest } = report
for (const failure of failures.slice(0, 20)) console.error(failure)
console.info(JSON.stringify({ ...report, failures: failures.length }))
const holds =
  failures.length === 0 &&
  servicePeak <= pictureBounds.service &&
  decodersPeak <= pictureBounds.decoders &&
  slowest <= pictureBounds.slowest
process.exitCode = holds ? 0 : 1

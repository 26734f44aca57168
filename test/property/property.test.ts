import { expect, it } from 'vitest'
import { printResult, runCampaign } from './campaign.ts'

const SECONDS = 60

it(
  'answers random queries on random databases like the reference interpreter',
  { timeout: (SECONDS + 60) * 1000 },
  async () => {
    const seed = process.env['SEED'] === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(process.env['SEED'])
    console.log(`seed ${seed}`)
    const result = await runCampaign({
      seed,
      cases: Number.MAX_SAFE_INTEGER,
      seconds: SECONDS,
      workers: 2,
      enough: 1,
      say: (line) => console.log(line),
    })
    console.log(printResult(seed, result))
    expect(result.failures.map(({ reason }) => reason)).toEqual([])
    expect(result.cases).toBeGreaterThan(0)
  },
)

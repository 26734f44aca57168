import { expect, it } from 'vitest'
import { printResult, runCampaign } from './campaign.ts'
import { gateSeed } from './seed.ts'

const SECONDS = 30

it(
  'answers random queries on random databases like the reference interpreter',
  { timeout: (SECONDS + 60) * 1000 },
  async () => {
    const seed = gateSeed()
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

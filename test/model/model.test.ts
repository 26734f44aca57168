import { expect, it } from 'vitest'
import { FEWEST, printResult, runCampaign } from './campaign.ts'
import { gateSeed } from '../property/seed.ts'

const SECONDS = 30

it(
  'leaves the rows as the model says after random writes on random databases',
  { timeout: (SECONDS + 120) * 1000 },
  async () => {
    const seed = gateSeed()
    console.log(`seed ${seed}`)
    const result = await runCampaign({
      seed,
      sequences: Number.MAX_SAFE_INTEGER,
      perSchema: 10,
      seconds: SECONDS,
      workers: 2,
      enough: 1,
      say: (line) => console.log(line),
    })
    console.log(printResult(seed, result))
    expect(result.failures.map(({ difference }) => difference.reason)).toEqual([])
    expect(result.fewest).toBeGreaterThanOrEqual(FEWEST)
  },
)

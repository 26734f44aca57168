import { expect, it } from 'vitest'
import { FEWEST, printResult, runCampaign } from './campaign.ts'

const SECONDS = 60

it(
  'leaves the rows as the model says after random writes on random databases',
  { timeout: (SECONDS + 120) * 1000 },
  async () => {
    const seed = process.env['SEED'] === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(process.env['SEED'])
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

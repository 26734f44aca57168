import { expect, it } from 'vitest'
import { printResult, runCampaign } from './campaign.ts'
import { GATE_CASES, GATE_SECONDS, gateSeed, LEAST } from '../property/gate.ts'

it(
  'leaves the rows as the model says after random writes on random databases',
  { timeout: (GATE_SECONDS + 120) * 1000 },
  async () => {
    const seed = gateSeed()
    console.log(`seed ${seed}`)
    const result = await runCampaign({
      seed,
      sequences: GATE_CASES.model,
      perSchema: 10,
      seconds: GATE_SECONDS,
      workers: 2,
      enough: 1,
      say: (line) => console.log(line),
    })
    console.log(printResult(seed, result))
    expect(result.failures.map(({ difference }) => difference.reason)).toEqual([])
    expect(result.fewest).toBeGreaterThanOrEqual(LEAST)
  },
)

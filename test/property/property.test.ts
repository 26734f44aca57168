import { expect, it } from 'vitest'
import { printResult, runCampaign } from './campaign.ts'
import { GATE_CASES, GATE_SECONDS, gateSeed } from './gate.ts'

it(
  'answers random queries on random databases like the reference interpreter',
  { timeout: (GATE_SECONDS + 60) * 1000 },
  async () => {
    const seed = gateSeed()
    console.log(`seed ${seed}`)
    const result = await runCampaign({
      seed,
      cases: GATE_CASES.property,
      seconds: GATE_SECONDS,
      workers: 2,
      enough: 1,
      say: (line) => console.log(line),
    })
    console.log(printResult(seed, result))
    expect(result.failures.map(({ reason }) => reason)).toEqual([])
    expect(result.cases).toBeGreaterThan(0)
  },
)

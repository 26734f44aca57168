import { expect, it } from 'vitest'
import { runDifferential } from './campaign.ts'
import { GATE_CASES, GATE_SECONDS, gateSeed } from '../property/gate.ts'

it(
  'REST and GraphQL give the same answers, the same refusals and the same rows',
  { timeout: (GATE_SECONDS + 165) * 1000 },
  async () => {
    const seed = gateSeed()
    const result = await runDifferential({
      seed,
      ...GATE_CASES.differential,
      seconds: GATE_SECONDS,
      workers: 2,
      say: (line) => console.log(line),
    })
    console.log(result.summary)
    expect(result.failures.map(({ reason }) => reason)).toEqual([])
    expect(result.reads).toBeGreaterThan(0)
    expect(result.writes).toBeGreaterThan(0)
  },
)

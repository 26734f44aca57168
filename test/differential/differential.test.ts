import { expect, it } from 'vitest'
import { runDifferential } from './campaign.ts'
import { gateSeed } from '../property/seed.ts'

const SECONDS = 30

it(
  'REST and GraphQL give the same answers, the same refusals and the same rows',
  { timeout: (SECONDS + 90) * 1000 },
  async () => {
    const seed = gateSeed()
    const result = await runDifferential({
      seed,
      reads: 100_000,
      writes: 5000,
      seconds: SECONDS,
      workers: 2,
      say: (line) => console.log(line),
    })
    console.log(result.summary)
    expect(result.failures.map(({ reason }) => reason)).toEqual([])
    expect(result.reads).toBeGreaterThan(0)
    expect(result.writes).toBeGreaterThan(0)
  },
)

import { expect, it } from 'vitest'
import { gateSeed, GATE_SECONDS } from '../property/gate.ts'
import { compareFileRights, printResult } from './rights/campaign.ts'

/** The long run is npm run verify file-rights. */
const REQUESTS = 1000

it(
  'gives files and their content to random callers as the access definition says',
  { timeout: (GATE_SECONDS + 100) * 1000 },
  async () => {
    const seed = gateSeed()
    const result = await compareFileRights({ seed, requests: REQUESTS, seconds: GATE_SECONDS * 2, enough: 1 })
    console.log(printResult(seed, result))
    expect(result.differences).toEqual([])
    expect(result.requests).toBeGreaterThan(0)
  },
)

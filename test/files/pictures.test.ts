import { expect, test } from 'vitest'
import { gateSeed } from '../property/gate.ts'
import { pictureCampaign } from './hostile-campaign.ts'

const MUTATIONS = 40

test('hostile pictures neither end the service nor learn of its tools', async () => {
  const report = await pictureCampaign({ seed: gateSeed(), mutations: MUTATIONS })
  expect(report.failures).toEqual([])
  // Every file is uploaded, asked for as it is and in three variants; at the end, the service is asked whether it is well.
  expect(report.requests).toBe(report.files * 5 + 1)
  expect(report.files).toBeGreaterThan(MUTATIONS)
  expect(report.statuses['422']).toBeGreaterThan(0)
}, 180_000)

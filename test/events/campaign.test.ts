import { expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { runCampaign } from './campaign.ts'

test.each(testDialects)(
  'on %s no change is lost, invented, out of order or told to others, although replicas, programs and subscribers are killed',
  async (dialect) => {
    const result = await runCampaign({
      dialect,
      changes: 1_000_000,
      writers: 16,
      replicas: 2,
      subscribers: 4,
      killEach: 1500,
      seconds: 12,
      batch: 20,
      seed: 19,
    })
    const { different, lostNotes, inventedNotes, gaps, torn, overtaken, missed, forbidden, odd } = result
    expect({ different, lostNotes, inventedNotes, gaps, torn, overtaken, missed, forbidden, odd }).toEqual({
      different: [],
      lostNotes: 0,
      inventedNotes: 0,
      gaps: 0,
      torn: [],
      overtaken: 0,
      missed: [],
      forbidden: [],
      odd: [],
    })
    expect(result.changes).toBeGreaterThan(100)
    expect(result.kills).toBeGreaterThan(0)
    expect(result.breaks).toBeGreaterThan(0)
    expect(result.told).toBeGreaterThan(0)
  },
  180_000,
)

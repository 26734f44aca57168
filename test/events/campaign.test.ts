import { expect, test } from 'vitest'
import { testDialects } from '../databases.ts'
import { runCampaign } from './campaign.ts'

test.each(testDialects)(
  'on %s no change is lost, invented or out of order, although replicas are killed',
  async (dialect) => {
    const result = await runCampaign({
      dialect,
      changes: 1_000_000,
      writers: 16,
      replicas: 2,
      killEach: 1500,
      seconds: 12,
      batch: 20,
      seed: 19,
    })
    const { different, lostNotes, inventedNotes, gaps, torn, overtaken, odd } = result
    expect({ different, lostNotes, inventedNotes, gaps, torn, overtaken, odd }).toEqual({
      different: [],
      lostNotes: 0,
      inventedNotes: 0,
      gaps: 0,
      torn: [],
      overtaken: 0,
      odd: [],
    })
    expect(result.changes).toBeGreaterThan(100)
    expect(result.kills).toBeGreaterThan(0)
  },
  180_000,
)

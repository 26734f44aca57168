import { expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { gateSeed } from '../property/gate.ts'
import { bounds, campaign } from './campaign.ts'

const REQUESTS = 400

test.each(testDialects)(
  'hostile requests neither fail the service on %s nor keep it from others',
  async (dialect) => {
    const report = await campaign({ dialect, seed: gateSeed(), requests: REQUESTS })
    expect(report.failures).toEqual([])
    expect(Object.values(report.statuses).reduce((sum, count) => sum + count, 0)).toBe(REQUESTS)
    expect(report.longestBlock).toBeLessThanOrEqual(bounds.block)
    expect(report.servicePeak).toBeLessThanOrEqual(bounds.service)
    expect(report.connectionPeak ?? 0).toBeLessThanOrEqual(bounds.connection)
  },
  120_000,
)

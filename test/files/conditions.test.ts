import { expect, test } from 'vitest'
import { compareConditions } from './conditions.ts'

test('conditional requests and ranges are answered as RFC 9110 says', async () => {
  const { wrong, byStatus } = await compareConditions(1500)
  expect(wrong).toEqual([])
  // The random requests come by every kind of response.
  for (const status of ['200', '206', '304', '416']) expect(byStatus[status]).toBeGreaterThan(50)
})

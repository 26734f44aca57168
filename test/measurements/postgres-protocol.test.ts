import { expect, test } from 'vitest'
import { postgresProtocol } from './postgres-protocol.ts'
import { describeFigure, isMet } from './service.ts'

test('the direct protocol takes less CPU time than the driver', { timeout: 180_000 }, async () => {
  const figures = await postgresProtocol({ rounds: 3, requests: 600, leastGain: 5 })
  expect(figures.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})

import { expect, test } from 'vitest'
import { describeFigure, isMet } from '../measurements/service.ts'
import { poolExhausted } from './pool-exhausted.ts'

test('while slow statements hold the pool, requests are refused with Retry-After and /server/ping answers', async () => {
  const figures = await poolExhausted('postgres', { seconds: 4, clients: 40 })
  // npm run verify pool-exhausted has the bounds of times; here the machine may be busy.
  const counts = figures.filter(({ unit, bound }) => unit === '' && bound !== undefined)
  expect(counts).toHaveLength(4)
  expect(counts.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})

import { expect, test } from 'vitest'
import { overload } from './overload.ts'
import { describeFigure, isMet } from './service.ts'

test('what the database can serve is served, and the rest is refused at once', { timeout: 120_000 }, async () => {
  const figures = await overload({ seconds: 6, slowClients: 300 })
  // npm run verify overload has the bounds of times and of goodput; here the machine may be busy.
  const counts = figures.filter(({ unit, bound }) => unit === '' && bound !== undefined && 'atMost' in bound)
  expect(counts).toHaveLength(2)
  expect(counts.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
  const refusals = figures.find(({ what }) => what === 'refusals')
  expect(refusals?.value).toBeGreaterThan(1)
})

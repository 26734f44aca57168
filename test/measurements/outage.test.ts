import { expect, test } from 'vitest'
import { outage } from './outage.ts'
import { describeFigure, isMet } from './service.ts'

test('the database may go and come back, and the service ends in order', { timeout: 120_000 }, async () => {
  const figures = await outage({ cycles: 2, shutdowns: 1 })
  expect(figures.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})

import { expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { seek } from './seek.ts'
import { describeFigure, isMet } from './service.ts'

test.each(testDialects)('a sought page is where it says it is on %s', { timeout: 240_000 }, async (dialect) => {
  const figures = await seek({ dialect, rows: 30_000 })
  expect(figures.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})

import { expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { appStart } from './app-start.ts'
import { describeFigure, isMet } from './service.ts'

test.each(testDialects)('the start of the app stays small on %s', { timeout: 120_000 }, async (dialect) => {
  const figures = await appStart({ dialect, tables: 200, repeats: 3 })
  expect(figures.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})

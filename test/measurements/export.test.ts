import { expect, test } from 'vitest'
import { exportRows } from './export.ts'
import { describeFigure, isMet } from './service.ts'

test('an export of any size takes the same memory', { timeout: 120_000 }, async () => {
  const figures = await exportRows({ rows: 100_000, slowSeconds: 3, slowMegabytes: 3, bound: 60 })
  expect(figures.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})

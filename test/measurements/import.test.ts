import { expect, test } from 'vitest'
import { importRows } from './import.ts'
import { describeFigure, isMet } from './service.ts'

test('an import of any size takes the same memory and is whole or nothing', { timeout: 240_000 }, async () => {
  const figures = await importRows({ rows: 50_000, bound: 100, stallSeconds: 2 })
  expect(figures.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})

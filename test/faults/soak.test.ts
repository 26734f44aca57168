import { expect, test } from 'vitest'
import { describeFigure, isMet } from '../measurements/service.ts'
import { soak } from './soak.ts'

test('mixed load with logins and schema changes is served, on as many connections as are allowed', async () => {
  const figures = await soak({ minutes: 0.1, every: 1, clients: 6 })
  // npm run verify soak has the bounds of memory and handles; they need time.
  const counts = figures.filter(({ unit, bound }) => unit === '' && bound !== undefined)
  expect(counts).toHaveLength(2)
  expect(counts.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})

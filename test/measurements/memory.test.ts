import { expect, test } from 'vitest'
import { memory } from './memory.ts'
import { describeFigure, isMet } from './service.ts'

test('a body over the limit gets its 413 although the client is still sending; large ones below it are written', async () => {
  const figures = await memory({ dialect: 'postgres', body: 8, rows: 1000, pause: 0 })
  // npm run verify memory has the bounds of memory at full size.
  const statuses = figures.filter(({ unit }) => unit === '')
  expect(statuses).toHaveLength(7)
  expect(statuses.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
})

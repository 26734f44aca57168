import { expect, test } from 'vitest'
import { describeFigure, isMet } from './service.ts'
import { sockets } from './sockets.ts'

test(
  'every socket is told each change once, by one read, and who does not read holds up nobody',
  { timeout: 120_000 },
  async () => {
    const figures = await sockets({ sockets: 300, changes: 20, slow: 50 })
    // npm run verify sockets has the bounds of times and of memory; here the machine may be busy.
    const counts = figures.filter(({ unit, bound }) => unit === '' && bound !== undefined)
    expect(counts).toHaveLength(3)
    expect(counts.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
  },
)

import { expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { scale } from './scale.ts'
import { describeFigure, isMet } from './service.ts'

// The ratio of two short runs is imprecise on a busy machine; a cost that grows with the tables would still show.
const options = { tables: 500, requests: 200, repeats: 3, seconds: 1, changes: 1, ratio: 0.5 }

test.each(testDialects)(
  'many tables cost neither start, nor memory, nor reads: %s',
  { timeout: 120_000 },
  async (dialect) => {
    const figures = await scale({ dialect, ...options })
    expect(figures.filter((figure) => !isMet(figure)).map(describeFigure)).toEqual([])
  },
)

import { expect, test } from 'vitest'
import { clientGone, STATEMENT } from './client-gone.ts'

// npm run verify client-gone has 100 tries and the bound of 1 s.
test.each(['postgres', 'mysql'] as const)(
  '%s: the database ends the statement of a client that has closed its connection, in every form of a read',
  async (dialect) => {
    const { times, tries, unseen, servedAfter } = await clientGone(dialect, 7)
    expect({ tries, unseen, servedAfter }).toEqual({ tries: 7, unseen: [], servedAfter: 4 })
    expect(Math.max(...times)).toBeLessThan(STATEMENT / 3)
  },
)

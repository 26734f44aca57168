import { expect, test } from 'vitest'
import { runKills } from './kills.ts'

const cases = [
  { dialect: 'postgres', kills: 10 },
  { dialect: 'sqlite', kills: 5 },
] as const

test.each(cases)(
  '$kills kills under 16 writers on $dialect leave no part of a tree and lose nothing that was promised',
  { timeout: 180_000 },
  async ({ dialect, kills }) => {
    const { verdict, ...result } = await runKills(kills, dialect)
    expect(result.acked).toBeGreaterThan(0)
    expect(result).toMatchObject({ lost: [], unasked: [], odd: [], refused: [], damage: [] })
    expect(verdict).toMatchObject({ partial: [], duplicates: [], strays: 0, mismatches: 0 })
    expect(result.settle ?? 0).toBeLessThan(5000)
  },
)

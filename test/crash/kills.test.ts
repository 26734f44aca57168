import { expect, test } from 'vitest'
import { runKills } from './kills.ts'

test('25 kills under 16 writers leave no part of a tree and lose nothing that was promised', async () => {
  const { verdict, ...result } = await runKills(25)
  expect(result.acked).toBeGreaterThan(0)
  expect(result).toMatchObject({ lost: [], unasked: [], odd: [] })
  expect(verdict).toMatchObject({ partial: [], duplicates: [], strays: 0, mismatches: 0 })
  expect(result.settle).toBeLessThan(5000)
}, 180_000)

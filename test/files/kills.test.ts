import { expect, test } from 'vitest'
import { runFileKills } from './kills.ts'

test('whenever the service is killed, every row has its content, and what belongs to no row is swept', async () => {
  const { crashes, missed, wrong, odd, left } = await runFileKills(3, false)
  expect({ missed, wrong, odd, left }).toEqual({ missed: [], wrong: [], odd: [], left: [] })
  expect(crashes).toBeGreaterThanOrEqual(12)
}, 400_000)

import { expect, test } from 'vitest'
import { interleave } from './interleavings.ts'
import { raceForKey, raceForLocks, raceForVersion, raceToUpsert, withStage } from './writes.ts'

test('many clients at the same rows', async () => {
  await withStage(2, async (stage) => {
    expect(await raceForLocks(stage, 8, 100)).toMatchObject({ requests: 800, failures: [] })
    expect(await raceForVersion(stage, 32, 30)).toMatchObject({ wrong: [], odd: [] })
    expect(await raceForKey(stage, 10, 30)).toMatchObject({ wrong: [] })
    expect(await raceToUpsert(stage, 8, 15)).toMatchObject({ wrong: [] })
    expect(await interleave(stage, 50)).toMatchObject({ interleavings: 50, wrong: [] })
  })
}, 180_000)

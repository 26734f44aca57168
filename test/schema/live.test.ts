import { expect, test } from 'vitest'
import { live } from './live.ts'

const ways = [
  ['by versions and polling', false],
  ['by versions alone', true],
] as const

test.each(ways)(
  'fields come, change and go under traffic, and replicas follow %s',
  async (_, isLate) => {
    const { failures, mixtures, convergences, longestWait } = await live({ fields: 8, rate: 40, isLate })
    expect([...failures, ...mixtures].slice(0, 5)).toEqual([])
    expect(convergences).toHaveLength(24)
    // npm run verify ddl-live has tighter bounds; here the machine may be busy with other tests.
    expect(Math.max(...convergences)).toBeLessThan(5000)
    expect(longestWait).toBeLessThan(2000)
  },
  180_000,
)

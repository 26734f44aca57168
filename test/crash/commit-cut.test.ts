import { describe, expect, test } from 'vitest'
import { cutWithKey, cutWithoutKey } from './commit-cut.ts'

const whole = { partial: [], duplicates: [], strays: 0, mismatches: 0 }

describe.each(['direct', 'driver'] as const)('%s', (protocol) => {
  test('30 connections cut at COMMIT, with a key: nothing is written twice and nothing is lost', async () => {
    const { verdict, ...result } = await cutWithKey(30, protocol)
    expect(result).toMatchObject({ cuts: 30, wrong: [], odd: [] })
    expect(result.retries).toBeGreaterThanOrEqual(30)
    expect(verdict).toMatchObject(whole)
  }, 120_000)

  test('30 connections cut at COMMIT, without a key: the outcome is said to be unknown, and nothing is repeated', async () => {
    const { verdict, ...result } = await cutWithoutKey(30, 1, protocol)
    expect(result).toMatchObject({ wrong: [], odd: [] })
    expect(verdict).toMatchObject(whole)
  }, 120_000)
})

import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { mutations } from './mutations.ts'
import { Difference, runOracle } from './oracle.ts'

describe('what subscribers are told', () => {
  test.each(testDialects)('is what the model sees, on %s', async (dialect) => {
    expect(await runOracle({ dialect, seed: 19, pairs: 1500 })).toBeGreaterThanOrEqual(1500)
  })

  test.each(Object.entries(mutations))('differs from it when %s', async (_, mutation) => {
    await expect(runOracle({ dialect: 'sqlite', seed: 19, pairs: 20_000, mutation })).rejects.toThrow(Difference)
  })
})

import { describe, expect, test } from 'vitest'
import { mutations } from './mutations.ts'
import { Difference, runOracle } from './oracle.ts'

describe('what subscribers are told', () => {
  test.each(Object.entries(mutations))('differs from it when %s', async (_, mutation) => {
    await expect(runOracle({ dialect: 'sqlite', seed: 19, pairs: 20_000, mutation })).rejects.toThrow(Difference)
  })
})

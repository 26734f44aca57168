import { expect, test } from 'vitest'
import { runHostileAddresses } from './addresses.ts'

test('without the check, requests arrive', async () => {
  const { arrived } = await runHostileAddresses(60, 7, () => true)
  expect(arrived.length).toBeGreaterThan(0)
}, 120_000)
